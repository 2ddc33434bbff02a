// Reads one service of an Apereo service file into a definition. Whatever might restrict who uses the
// service or what it is told, and is not understood, leaves the service disabled: then its URLs are
// refused, and do not fall to another service.
import type { ServiceDefinition } from '../registered-service.js';
import { inspectDefinition } from '../service-definition.js';
import { accessStrategy } from './apereo-access.js';
import { attributeReleasePolicy, usernameAttributeProvider } from './apereo-release.js';
import { classOf, isObject, membersOf, textsOf } from './apereo-values.js';
import {
  byClass,
  field,
  type Handler,
  type Handlers,
  notUnderstood,
  readMembers,
  withoutEffect,
} from './member-handlers.js';
import type { RelaxedJson, RelaxedObject } from './relaxed-json.js';
import { type FileNote, ServiceDraft } from './service-draft.js';

const CLASSES = new Set(['RegexRegisteredService', 'CasRegisteredService']);
const LARGEST_ID = 2n ** 63n - 1n;
const LOGOUT_TYPES = new Map<RelaxedJson, string>([
  ['NONE', 'none'],
  ['BACK_CHANNEL', 'back'],
  ['FRONT_CHANNEL', 'front'],
]);

const fileId: Handler = (value, member, draft) => {
  const isInteger = typeof value === 'number' && Number.isSafeInteger(value);
  const id = isInteger || typeof value === 'bigint' ? BigInt(value) : undefined;
  if (id === undefined || id > LARGEST_ID) {
    draft.doNotUnderstand(member, 'is not an integer of 64 bits');
    return;
  }
  // Zero or less stands for "not numbered yet".
  if (id > 0n) draft.importId = String(id);
  draft.take(member);
};

const logoutType: Handler = (value, member, draft) => {
  const known = LOGOUT_TYPES.get(value);
  if (known !== undefined) draft.take(member, 'logoutType', known);
  else if (value !== null) draft.doNotUnderstand(member, 'is not understood');
};

const proxyPolicy = byClass(
  new Map([
    [
      'RefuseRegisteredServiceProxyPolicy',
      (object: RelaxedObject, member: string, draft: ServiceDraft) => {
        draft.take(member);
        readMembers(object, new Map(), draft, member);
      },
    ],
    [
      'RegexMatchingRegisteredServiceProxyPolicy',
      (object, member, draft) => {
        const pattern: unknown = object.get('pattern');
        draft.takeWhole(member, 'proxyPolicy', { kind: 'pattern', pattern }, () =>
          readMembers(object, new Map([['pattern', () => {}]]), draft, member),
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
    if (values === undefined) draft.doNotUnderstand(`${member}.${name}`, 'is not a text');
    else if (values.length > 0) read.push([name, values.join(',')]);
  }
  draft.take(member, 'properties', Object.fromEntries(read));
};

const matchingStrategy = byClass(
  new Map([
    ['FullRegexRegisteredServiceMatchingStrategy', (_object, member, draft) => draft.take(member)],
  ]),
);

const FOR_PEOPLE = withoutEffect('has no effect: it is for pages and people');

const HANDLERS: Handlers = new Map([
  ['serviceId', field('serviceId')],
  ['name', field('name')],
  ['description', field('description')],
  ['id', fileId],
  ['evaluationOrder', field('evaluationOrder')],
  ['accessStrategy', accessStrategy],
  ['attributeReleasePolicy', attributeReleasePolicy],
  ['usernameAttributeProvider', usernameAttributeProvider],
  ['proxyPolicy', proxyPolicy],
  ['logoutType', logoutType],
  ['logoutUrl', field('logoutUrl')],
  ['properties', properties],
  ['matchingStrategy', matchingStrategy],
  ['responseType', withoutEffect('has no effect: the login decides how to go back')],
  ...['theme', 'locale', 'logo', 'informationUrl', 'privacyUrl', 'redirectUrl', 'contacts'].map(
    (name) => [name, FOR_PEOPLE] as const,
  ),
  ['templateName', FOR_PEOPLE],
  ['friendlyName', FOR_PEOPLE],
]);

/** What Apereo's services have where a file says nothing. */
const DEFAULTS = { evaluationOrder: 0, logoutType: 'back' };

/** A service as a file describes it, and what became of each member of the file. */
export interface ReadService {
  readonly importId: string | null;
  /** Disabled where anything was not understood. */
  readonly definition: ServiceDefinition;
  readonly taken: readonly string[];
  readonly withoutEffect: readonly FileNote[];
  readonly notUnderstood: readonly FileNote[];
}

/** Why a file gives no service at all. */
export interface Refusal {
  readonly refusal: string;
}

/** @param fallbackName the name of a service that has none that can be kept */
export function readApereoService(value: RelaxedJson, fallbackName: string): ReadService | Refusal {
  const given = isObject(value) ? value.get('@class') : undefined;
  if (!isObject(value) || typeof given !== 'string') return { refusal: 'is not a service' };
  if (!CLASSES.has(classOf(value) ?? '')) {
    return { refusal: `is of a kind that is not known here (${given})` };
  }
  const draft = new ServiceDraft();
  readMembers(value, HANDLERS, draft);
  const { definition, faults } = inspectDefinition({ ...DEFAULTS, ...draft.fields });
  const fatal = faults.find((fault) => fault.field === 'serviceId');
  if (fatal !== undefined) return { refusal: `serviceId ${fatal.reason}` };
  for (const { field: path, reason } of faults) {
    const [name = path] = path.split('.');
    draft.refuse(name, path.slice(name.length), reason);
  }
  const enabled = definition.enabled && draft.notUnderstood.length === 0;
  const name = definition.name || fallbackName;
  return {
    importId: draft.importId,
    definition: { ...definition, name, enabled },
    taken: draft.taken,
    withoutEffect: draft.withoutEffect,
    notUnderstood: draft.notUnderstood,
  };
}
