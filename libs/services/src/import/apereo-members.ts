// The members of Apereo's service definitions, each with its sense: what is taken, what restricts, what has no effect.
import { fieldViolation } from '../service-definition.js';
import { accessStrategy } from './apereo-access.js';
import { expirationPolicy } from './apereo-expiry.js';
import { sessionLifetime, ticketLifetimes } from './apereo-lifetimes.js';
import {
  authenticationPolicy,
  HANDLERS,
  interruptPolicy,
  multifactorPolicy,
  ssoPolicy,
} from './apereo-policies.js';
import { attributeReleasePolicy, usernameAttributeProvider } from './apereo-release.js';
import type { HjsonValue } from './hjson.js';
import {
  byClass,
  collectionOf,
  entriesOf,
  field,
  type Handler,
  integerOf,
  isObject,
  isUnset,
  membersOf,
  permission,
  readMembers,
  restricts,
  restrictsUnlessEmpty,
  textOf,
  unknown,
  withoutEffect,
} from './member-handlers.js';
import { rewriteJavaPattern, rewriteNote } from './java-pattern/java-pattern.js';
import { javaSyntaxIn } from './unsupported-pattern.js';

const MAX_ID = 2n ** 63n - 1n;
const LOGOUT_TYPES = new Map<HjsonValue, string>([
  ['NONE', 'none'],
  ['BACK_CHANNEL', 'back'],
  ['FRONT_CHANNEL', 'front'],
]);

/** The pattern for RE2, which matches the same URLs. Apereo CAS ignores case. */
function forRe2(value: HjsonValue): HjsonValue {
  if (typeof value !== 'string') return value;
  return rewriteJavaPattern(value, { ignoreCase: true }).pattern;
}

/** Notes how a pattern is written for RE2. RE2 may accept what is left, but match other URLs than Apereo does. */
const javaPattern: Handler = (value, member, draft) => {
  if (typeof value !== 'string') return;
  const rewritten = rewriteJavaPattern(value, { ignoreCase: true });
  const note = rewriteNote(value, rewritten);
  if (note !== undefined) draft.addWithoutEffect(member, note);
  const syntax = javaSyntaxIn(rewritten.pattern);
  if (syntax === undefined) return;
  draft.addNotUnderstood(member, `has Java syntax that RE2 reads otherwise: ${syntax}`);
};

const serviceId: Handler = (value, member, draft) => {
  field('serviceId')(forRe2(value), member, draft);
  javaPattern(value, member, draft);
};

/** A text for people. It restricts nothing: an invalid one is left out. */
const label =
  (name: 'name' | 'description', instead: string): Handler =>
  (value, member, draft) => {
    if (value === null) return;
    const text = textOf(value);
    const violation = fieldViolation(name, text);
    if (violation === undefined) draft.take(member, name, text);
    else draft.addWithoutEffect(member, `${violation}: ${instead}`);
  };

const evaluationOrder: Handler = (value, member, draft) => {
  const order = integerOf(value);
  field('evaluationOrder')(order === undefined ? value : Number(order), member, draft);
};

const fileId: Handler = (value, member, draft) => {
  const id = integerOf(value);
  if (id === undefined || id > MAX_ID) {
    draft.addNotUnderstood(member, 'is not an integer of 64 bits');
    return;
  }
  // Zero or less means that the service has no id yet.
  if (id > 0n) draft.importId = String(id);
  draft.take(member);
};

const logoutType: Handler = (value, member, draft) => {
  const known = LOGOUT_TYPES.get(value);
  if (known !== undefined) draft.take(member, 'logoutType', known);
  else if (value !== null) draft.addNotUnderstood(member, 'is not understood');
};

const responseType: Handler = (value, member, draft) => {
  if (isUnset(value)) return;
  const type = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (type === 'redirect' || type === 'post') draft.take(member, 'responseType', type);
  else draft.addWithoutEffect(member, 'is not known here: the browser is redirected');
};

const REFUSING = membersOf({}, withoutEffect('has no effect: proxying is refused'));
const PROXYING = membersOf({
  pattern: javaPattern,
  useServiceId: restricts('is not known here: write the pattern'),
});

const proxyPolicy = byClass({
  RefuseRegisteredServiceProxyPolicy: (object, member, draft) => {
    draft.take(member);
    readMembers(object, REFUSING, draft, member);
  },
  RegexMatchingRegisteredServiceProxyPolicy: (object, member, draft) => {
    const pattern: unknown = forRe2(object.get('pattern') ?? null) ?? undefined;
    draft.takeWhole(member, 'proxyPolicy', { kind: 'pattern', pattern }, () =>
      readMembers(object, PROXYING, draft, member),
    );
  },
});

const properties: Handler = (value, member, draft) => {
  if (!isObject(value)) {
    unknown(value, member, draft);
    return;
  }
  const read: [string, string][] = [];
  for (const [name, property] of entriesOf(value)) {
    const given = isObject(property) ? (property.get('values') ?? []) : property;
    const values = (collectionOf(given) ?? [given]).map(textOf);
    if (values.includes(undefined)) draft.addNotUnderstood(`${member}.${name}`, 'is not a text');
    else if (values.length > 0) read.push([name, values.join(',')]);
  }
  draft.take(member, 'properties', Object.fromEntries(read));
};

const matchingStrategy = byClass({
  FullRegexRegisteredServiceMatchingStrategy: (_object, member, draft) => draft.take(member),
});

const forPeople = withoutEffect('has no effect: it is for pages and people');
const notReleased = withoutEffect('is not followed: attributeReleasePolicy says what is released');

/** The members that services of every class have, among them those that define the URLs. */
const COMMON = {
  serviceId,
  name: label('name', 'the name of the file takes its place'),
  description: label('description', 'left out'),
  id: fileId,
  evaluationOrder,
  matchingStrategy,
};
export const COMMON_MEMBERS = membersOf(COMMON, () => {});

/** Of CAS 3.5 to 4.0, which had no policies. */
const OLD = {
  enabled: permission('enabled'),
  ssoEnabled: permission('ssoEnabled'),
  allowedToProxy: withoutEffect('is not followed: proxyPolicy says who may proxy'),
  allowedAttributes: notReleased,
  ignoreAttributes: notReleased,
  anonymousAccess: restricts(
    'hides the name of the user: write an anonymous usernameAttributeProvider',
  ),
  attributeFilter: restrictsUnlessEmpty('counts in attributeReleasePolicy alone'),
  usernameAttribute: restrictsUnlessEmpty('counts in usernameAttributeProvider alone'),
};

/** The members of a service of CAS. */
export const MEMBERS = membersOf({
  ...COMMON,
  ...OLD,
  accessStrategy,
  attributeReleasePolicy,
  usernameAttributeProvider,
  proxyPolicy,
  logoutType,
  logoutUrl: field('logoutUrl'),
  properties,
  multifactorPolicy,
  expirationPolicy,
  webflowInterruptPolicy: interruptPolicy,
  requiredHandlers: restrictsUnlessEmpty(HANDLERS),
  environments: restrictsUnlessEmpty('limits where it counts, which is not done here'),
  supportedProtocols: restrictsUnlessEmpty('limits the protocols, which is not done here'),
  authenticationPolicy,
  singleSignOnParticipationPolicy: ssoPolicy,
  serviceTicketExpirationPolicy: ticketLifetimes('Service', 'serviceTicketLifetime'),
  proxyTicketExpirationPolicy: ticketLifetimes('Proxy', 'proxyTicketLifetime'),
  proxyGrantingTicketExpirationPolicy: sessionLifetime('ProxyGranting'),
  ticketGrantingTicketExpirationPolicy: sessionLifetime('TicketGranting'),
  acceptableUsagePolicy: withoutEffect('has no effect: nobody is asked to accept terms'),
  publicKey: withoutEffect('is not used: the password is never released'),
  passwordlessPolicy: withoutEffect('has no effect: everybody has a password'),
  surrogatePolicy: withoutEffect('has no effect: nobody acts for somebody else'),
  responseType,
  theme: forPeople,
  locale: forPeople,
  logo: forPeople,
  informationUrl: forPeople,
  privacyUrl: forPeople,
  redirectUrl: forPeople,
  contacts: forPeople,
  templateName: forPeople,
  friendlyName: forPeople,
});
