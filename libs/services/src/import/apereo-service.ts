// Reads the service of an Apereo service file. A service of an unknown class, or with a member that is not understood and
// may restrict it, is imported disabled: its URLs are refused, and no other service gets them.
import type { ServiceDefinition } from '../registered-service.js';
import { inspectDefinition } from '../service-definition.js';
import { accessStrategy } from './apereo-access.js';
import { attributeReleasePolicy, usernameAttributeProvider } from './apereo-release.js';
import {
  byClass,
  classOf,
  field,
  type Handler,
  type Handlers,
  isObject,
  membersOf,
  notUnderstood,
  readMembers,
  textsOf,
  unknownKind,
  withoutEffect,
} from './member-handlers.js';
import type { HjsonValue, HjsonObject } from './hjson.js';
import { type FileNote, ServiceDraft } from './service-draft.js';
import { javaSyntaxIn } from './unsupported-pattern.js';

const CLASSES = new Set(['RegexRegisteredService', 'CasRegisteredService']);
/** The class of old files whose `serviceId` is no regular expression. */
const ANT_PATTERNS = 'RegisteredServiceImpl';
const MAX_ID = 2n ** 63n - 1n;
const LOGOUT_TYPES = new Map<HjsonValue, string>([
  ['NONE', 'none'],
  ['BACK_CHANNEL', 'back'],
  ['FRONT_CHANNEL', 'front'],
]);

/** RE2 accepts such a pattern, but matches other URLs than Apereo does. */
const javaPattern: Handler = (value, member, draft) => {
  const syntax = typeof value === 'string' ? javaSyntaxIn(value) : undefined;
  if (syntax === undefined) return;
  draft.addNotUnderstood(member, `has Java syntax that RE2 reads otherwise: ${syntax}`);
};

const serviceId: Handler = (value, member, draft) => {
  field('serviceId')(value, member, draft);
  javaPattern(value, member, draft);
};

const fileId: Handler = (value, member, draft) => {
  const isInteger = typeof value === 'number' && Number.isSafeInteger(value);
  const id = isInteger || typeof value === 'bigint' ? BigInt(value) : undefined;
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

const proxyPolicy = byClass(
  new Map([
    [
      'RefuseRegisteredServiceProxyPolicy',
      (object: HjsonObject, member: string, draft: ServiceDraft) => {
        draft.take(member);
        readMembers(object, new Map(), draft, member);
      },
    ],
    [
      'RegexMatchingRegisteredServiceProxyPolicy',
      (object, member, draft) => {
        const pattern: unknown = object.get('pattern');
        draft.takeWhole(member, 'proxyPolicy', { kind: 'pattern', pattern }, () =>
          readMembers(object, new Map([['pattern', javaPattern]]), draft, member),
        );
      },
    ],
  ]),
);

const properties: Handler = (value, member, draft) => {
  if (!isObject(value)) {
    notUnderstood(value, member, draft);
    return;
  }
  const read: [string, string][] = [];
  for (const [name, property] of membersOf(value)) {
    const values = textsOf(isObject(property) ? (property.get('values') ?? []) : property);
    if (values === undefined) draft.addNotUnderstood(`${member}.${name}`, 'is not a text');
    else if (values.length > 0) read.push([name, values.join(',')]);
  }
  draft.take(member, 'properties', Object.fromEntries(read));
};

const matchingStrategy = byClass(
  new Map([
    ['FullRegexRegisteredServiceMatchingStrategy', (_object, member, draft) => draft.take(member)],
  ]),
);

const forPeople = withoutEffect('has no effect: it is for pages and people');

/** The members that services of every class have, among them those that define the URLs. */
const COMMON_HANDLERS: Handlers = new Map([
  ['serviceId', serviceId],
  ['name', field('name')],
  ['description', field('description')],
  ['id', fileId],
  ['evaluationOrder', field('evaluationOrder')],
  ['matchingStrategy', matchingStrategy],
]);

const HANDLERS: Handlers = new Map([
  ...COMMON_HANDLERS,
  ['accessStrategy', accessStrategy],
  ['attributeReleasePolicy', attributeReleasePolicy],
  ['usernameAttributeProvider', usernameAttributeProvider],
  ['proxyPolicy', proxyPolicy],
  ['logoutType', logoutType],
  ['logoutUrl', field('logoutUrl')],
  ['properties', properties],
  ['responseType', withoutEffect('has no effect: the login decides how to go back')],
  ...['theme', 'locale', 'logo', 'informationUrl', 'privacyUrl', 'redirectUrl', 'contacts'].map(
    (name) => [name, forPeople] as const,
  ),
  ['templateName', forPeople],
  ['friendlyName', forPeople],
]);

/** Apereo's defaults. */
const DEFAULTS = { evaluationOrder: 0, logoutType: 'back' };

/** The service of a file, and the result for each member of the file. */
export interface ReadService {
  readonly importId: string | null;
  /** Disabled where a member was not understood. */
  readonly definition: ServiceDefinition;
  readonly taken: readonly string[];
  readonly withoutEffect: readonly FileNote[];
  readonly notUnderstood: readonly FileNote[];
}

/** The reason why a file defines no service, not even a disabled one. */
export interface Refusal {
  readonly refusal: string;
  /** The service of the file, where it has a pattern. */
  readonly service?: Pick<ServiceDefinition, 'serviceId' | 'name' | 'evaluationOrder'>;
}

/** The members that decide which URLs to refuse. */
const REQUIRED_MEMBERS = new Set(['serviceId', 'evaluationOrder', 'matchingStrategy']);

/** @param fallbackName the name of a service without a valid one */
export function readApereoService(value: HjsonValue, fallbackName: string): ReadService | Refusal {
  if (!isObject(value)) return { refusal: 'is not a service' };
  const draft = draftOf(value);
  const given = draft.fields['serviceId'];
  const { definition, violations } = inspectDefinition({ ...DEFAULTS, ...draft.fields });
  for (const { field: path, reason } of violations) {
    const [name = path] = path.split('.');
    draft.refuse(name, path.slice(name.length), reason);
  }
  const name = definition.name || fallbackName;
  const fatal = draft.notUnderstood.find(({ member }) => REQUIRED_MEMBERS.has(member));
  if (fatal !== undefined) {
    const refusal = `${fatal.member} ${fatal.reason}`;
    const { evaluationOrder } = definition;
    if (typeof given !== 'string') return { refusal };
    return { refusal, service: { serviceId: given, name, evaluationOrder } };
  }
  const enabled = definition.enabled && draft.notUnderstood.length === 0;
  return {
    importId: draft.importId,
    definition: { ...definition, name, enabled },
    taken: draft.taken,
    withoutEffect: draft.withoutEffect,
    notUnderstood: draft.notUnderstood,
  };
}

/** Of a service of an unknown class, reads only the members that refuse its URLs. */
function draftOf(value: HjsonObject): ServiceDraft {
  const draft = new ServiceDraft();
  if (CLASSES.has(classOf(value) ?? '')) {
    readMembers(value, HANDLERS, draft);
    return draft;
  }
  if (classOf(value) === ANT_PATTERNS) {
    draft.addNotUnderstood(
      'serviceId',
      'is an Ant pattern, no regular expression: write the file as a RegexRegisteredService',
    );
  }
  draft.addNotUnderstood('@class', `${unknownKind(value)}: its URLs are refused`);
  const common = new Map([...value].filter(([name]) => COMMON_HANDLERS.has(name)));
  readMembers(common, COMMON_HANDLERS, draft);
  return draft;
}
