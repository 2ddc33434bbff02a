// Properties that a Spring Boot application `orders` reads from the sample in test/support/config-repo, by profile.

const BASE = {
  name: 'orders',
  both: 'properties',
  both2: 'last',
  ratio: '0.5',
  big: '12345678901234567890',
  flag: 'true',
  nothing: '',
  empty: '',
  date: '2024-01-02',
  octal: '511',
  text: '007',
  'cluster.nodes[0].host': 'a',
  'cluster.nodes[0].port': '1',
  'cluster.nodes[1].host': 'b',
  'cluster.nodes[1].port': '2',
  'cluster.tags[0]': 'x',
  'cluster.tags[1]': 'y',
  'cluster.emptylist': '',
  'cluster.dotted.key': 'v',
  'cluster[brackets/1]': 'w',
  multi: 'line1\nline2\n',
  propsonly: '1',
  'spaced.key': 'padded value  ',
  unicode: 'café',
  lastdoc: 'always',
  shared: 'base',
  'info.owner': 'platform',
  secret: 'yaml-secret é',
  // It contains `${path}`, which only the application can resolve.
  url: 'http://localhost:8080/here',
};
export const DEFAULT = {
  ...BASE,
  'spring.config.activate.on-profile': '!prod',
  docnotprod: 'true',
  'order-limit': '100',
  ref: '100 items',
  greeting: 'from application.yml',
};
export const PROD = {
  ...BASE,
  'spring.config.activate.on-profile': 'prod',
  docprod: 'true',
  'order-limit': '150',
  ref: '150 items',
  greeting: 'from orders-prod.properties',
  limit: '200',
  prodshared: 'true',
  'secret.props': 'props-secret',
};
/** Values that a decrypting server cannot decrypt. */
export const UNREADABLE = { 'invalid.badsecret': '<n/a>' };
export const UNREADABLE_IN_PROD = { ...UNREADABLE, 'invalid.secret.bad': '<n/a>' };

/** Sources in profile prod, highest precedence first. The application moves those for its profile to the front. */
export function prodSources(
  file: (name: string) => string,
  document: (number: number) => string,
): readonly string[] {
  return [
    file('orders-prod.properties'),
    file('application-prod.yml'),
    document(1),
    file('orders.properties'),
    document(3),
    document(0),
    file('application.yml'),
  ];
}
