// Attributes from a directory and an SQL query beside those of the handler: merged by rule, byte for byte in the answer of a
// validation, and what a login is answered while sources are away or slow.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { createEmptyDatabase } from '../support/database.js';
import { http, type Reply } from '../support/http.js';
import { person } from '../support/ldap-people.js';
import { query } from '../support/query.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { startSso, type Sso } from '../support/sso.js';
import { DatabaseProxy } from '../support/tcp-proxy.js';
import { envelope, validate } from '../support/validation.js';

type Values = Readonly<Record<string, unknown>>;

const AUTH = 'sso.authentication';
const SERVICE = 'https://bare.example.org/';

let staff: Slapd;
let hr: Awaited<ReturnType<typeof createEmptyDatabase>>;
let hrProxy: DatabaseProxy;
let sso: Sso;
let lines: string[];

const sources = (more: Values = {}): Values => ({
  [`${AUTH}.attributes-from`]: ['staff', 'hr'],
  [`${AUTH}.ldap.directories`]: 'staff',
  [`${AUTH}.ldap.staff`]: {
    urls: staff.url,
    'base-dn': BASE,
    'bind-dn': SERVICE_ACCOUNT.dn,
    'bind-password': SERVICE_ACCOUNT.password,
    attributes: { mail: 'mail', sn: 'sn', departmentNumber: 'memberOf' },
  },
  [`${AUTH}.sql.hr`]: {
    url: hrProxy.url,
    query: 'select mail, groups as "memberOf", unit from person where uid = $1',
  },
  ...more,
});

const login = (username = 'casuser', password = 'Mellon'): Promise<Reply> =>
  http('POST', sso.url, '/v1/tickets', {
    form: { username, password },
    headers: { accept: 'text/plain' },
  });

async function validated(tgt: string): Promise<string> {
  const ticket = await sso.grant(tgt, SERVICE);
  return (await validate(sso, '/p3/serviceValidate', { service: SERVICE, ticket })).body;
}

const element = (name: string, values: readonly string[]): readonly string[] =>
  values.map((value) => `            <cas:${name}>${value}</cas:${name}>`);

const answer = (attributes: Readonly<Record<string, readonly string[]>>): string =>
  envelope(
    `    <cas:authenticationSuccess>
        <cas:user>casuser</cas:user>
        <cas:attributes>
${Object.entries(attributes)
  .flatMap(([name, values]) => element(name, values))
  .join('\n')}
        </cas:attributes>
    </cas:authenticationSuccess>`,
  );

const OF_HANDLER = {
  mail: ['casuser@example.org'],
  displayName: ['Cas &lt;User&gt; &amp; Co'],
  memberOf: ['staff', 'admin'],
};
const ALL = {
  mail: ['hr@example.org'],
  displayName: OF_HANDLER.displayName,
  memberOf: ['admin', 'hr'],
  sn: ['Person'],
  unit: ['physics'],
};

describeWithSlapd('a directory and an SQL query', () => {
  beforeAll(async () => {
    hr = await createEmptyDatabase();
    await query(
      hr.url,
      `create table person (uid text, mail text, groups text[], unit text);
       insert into person values ('casuser', 'hr@example.org', '{admin,hr}', 'physics')`,
    );
    hrProxy = new DatabaseProxy(hr.url);
    await hrProxy.set('open');
    const casuser = person('casuser', { mail: 'dir@example.org', departmentNumber: 'staff' });
    const groups = [
      ['editors', casuser.dn],
      ['all', `cn=editors,${BASE}`],
    ].map(([cn = '', member = '']) => ({
      dn: `cn=${cn},${BASE}`,
      objectClass: 'groupOfNames',
      cn,
      member,
    }));
    staff = await Slapd.start({ entries: [casuser, ...groups] });
    const service = {
      serviceId: String.raw`^https://bare\.example\.org/`,
      name: 'bare',
      attributeRelease: { kind: 'all' },
      protocolAttributes: false,
    } as const;
    sso = await startSso({
      settings: [`--${AUTH}.handlers=static`],
      services: [service],
      files: { 'sso.yml': JSON.stringify(sources()) },
    });
  });
  afterAll(async () => {
    await sso.close();
    await staff.remove();
    await hrProxy.close();
    await hr.drop();
  });
  beforeEach(() => {
    lines = [];
    configureLogging({ application: 'sso', levels: {}, write: (line) => void lines.push(line) });
  });

  const mend = (): Promise<unknown> => Promise.all([staff.restart(), hrProxy.set('open')]);
  afterEach(mend);

  test.each([
    ['replace', ALL],
    ['add', { ...ALL, mail: OF_HANDLER.mail, memberOf: OF_HANDLER.memberOf }],
    [
      'multi-valued',
      {
        ...ALL,
        mail: ['casuser@example.org', 'dir@example.org', 'hr@example.org'],
        memberOf: ['staff', 'admin', 'hr'],
      },
    ],
  ])('are merged by the rule %s', async (rule, attributes) => {
    await sso.reconfigure(sources({ [`${AUTH}.attributes-merge`]: rule }));
    expect(await validated(await sso.login())).toBe(answer(attributes));
  });

  test('are merged in their order', async () => {
    await sso.reconfigure(sources({ [`${AUTH}.attributes-from`]: ['hr', 'staff'] }));
    const { sn, ...others } = ALL;
    const attributes = { ...others, mail: ['dir@example.org'], memberOf: ['staff'], sn };
    expect(await validated(await sso.login())).toBe(answer(attributes));
  });

  test('give the groups of a user, and the groups of these', async () => {
    const nested = { 'groups-attribute': 'unit', groups: 'nested' };
    const ofStaff = sources()[`${AUTH}.ldap.staff`] as Values;
    await sso.reconfigure({
      ...sources({ [`${AUTH}.attributes-merge`]: 'multi-valued' }),
      [`${AUTH}.ldap.staff`]: { ...ofStaff, ...nested },
    });
    const body = await validated(await sso.login());
    const units = [...body.matchAll(/<cas:unit>(.*?)<\/cas:unit>/g)].map(([, unit]) => unit);
    expect(units).toEqual(['editors', 'all', 'physics']);
  });

  test('are what templates compute further ones of', async () => {
    const templates = {
      displayName: '{sn|upper}, {mail|before:@}',
      unit: '{none}',
      mail: '{mail}',
    };
    await sso.reconfigure(sources({ [`${AUTH}.computed-attributes`]: templates }));
    const { unit: _absent, ...others } = ALL;
    const attributes = { ...others, displayName: ['PERSON, hr'] };
    expect(await validated(await sso.login())).toBe(answer(attributes));
  });

  test('are read at the login alone: a session has its attributes while both are away', async () => {
    await sso.reconfigure(sources());
    const tgt = await sso.login();
    await Promise.all([staff.stop(), hrProxy.set('refuse')]);
    expect(await validated(tgt)).toBe(answer(ALL));
  });

  const SHORT = { [`${AUTH}.sql.hr.timeout`]: '300ms' };
  const withoutHr = { ...ALL, mail: ['dir@example.org'], memberOf: ['staff'] };
  const { unit: _unit, ...OF_STAFF } = withoutHr;
  const OF_HR = Object.fromEntries(Object.entries(ALL).filter(([name]) => name !== 'sn'));

  test.each([
    ['the directory is away', true, 'open'],
    ['the database is away', false, 'refuse'],
    ['the database hangs', false, 'hang'],
    ['both are away', true, 'hang'],
  ] as const)('leave a login undecided while %s', async (_what, isAway, state) => {
    await sso.reconfigure(sources(SHORT));
    if (isAway) await staff.stop();
    await hrProxy.set(state);
    const { status, body } = await login();
    expect({ status, body }).toEqual({ status: 503, body: 'Service temporarily unavailable' });
    expect((await login('casuser', 'wrong')).status).toBe(400);
    await mend();
    expect((await login()).status).toBe(201);
  });

  test.each([
    { optional: 'staff', isAway: true, state: 'open', attributes: OF_HR },
    { optional: 'hr', isAway: false, state: 'hang', attributes: OF_STAFF },
    { optional: 'staff,hr', isAway: true, state: 'refuse', attributes: OF_HANDLER },
  ] as const)('let a login do without $optional if optional', async (each) => {
    const { optional, isAway, state, attributes } = each;
    await sso.reconfigure(sources({ ...SHORT, [`${AUTH}.attributes-optional`]: optional }));
    if (isAway) await staff.stop();
    await hrProxy.set(state);
    expect(await validated(await sso.login())).toBe(answer(attributes));
    const warnings = lines.flatMap((line) => {
      const { source } = JSON.parse(line) as { readonly source?: string };
      return source ?? [];
    });
    expect(warnings.toSorted()).toEqual(optional.split(',').toSorted());
    await mend();
    expect(await validated(await sso.login())).toBe(answer(ALL));
  });

  test('take their time at once: a login waits for the slower one', async () => {
    await sso.reconfigure(sources());
    hrProxy.replyDelay = 100;
    expect(await validated(await sso.login())).toBe(answer(ALL));
    hrProxy.replyDelay = 0;
  });

  test('show no password of a URL in the log or in an answer', async () => {
    const url = 'postgresql://hr:geheim@127.0.0.1:1/hr';
    await sso.reconfigure(sources({ [`${AUTH}.sql.hr.url`]: url }));
    const { status, body } = await login();
    expect([status, body]).toEqual([503, 'Service temporarily unavailable']);
    const reasons = { static: 'failed: The attributes of the source hr are not available.' };
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ outcome: 'undecided', reasons }),
    );
    expect(lines.join('\n')).not.toContain('geheim');
    await sso.reconfigure(sources());
  });
});
