// Reads the members of objects in Apereo's service files by tables of handlers.
import type { HjsonValue, HjsonObject } from './hjson.js';
import type { ServiceDraft } from './service-draft.js';

/** Reads one member. `member` is its path in the file. */
export type Handler = (value: HjsonValue, member: string, draft: ServiceDraft) => void;

export type Handlers = ReadonlyMap<string, Handler>;

/** Calls the handler of each member. A member without a handler is not understood, unless it is unset. */
export function readMembers(
  object: HjsonObject,
  handlers: Handlers,
  draft: ServiceDraft,
  path = '',
): void {
  for (const [name, value] of membersOf(object)) {
    const handler = handlers.get(name) ?? notUnderstood;
    handler(value, path === '' ? name : `${path}.${name}`, draft);
  }
}

/** A handler that reads an object by the reader of its class. */
export function byClass(
  readers: ReadonlyMap<string, (object: HjsonObject, member: string, draft: ServiceDraft) => void>,
): Handler {
  return (value, member, draft) => {
    if (value === null) return;
    const name = isObject(value) ? classOf(value) : undefined;
    const read = name === undefined ? undefined : readers.get(name);
    if (read !== undefined && isObject(value)) {
      read(value, member, draft);
    } else {
      draft.addNotUnderstood(member, unknownKind(value));
    }
  };
}

/** The reason to report for a value whose class has no reader. */
export function unknownKind(value: HjsonValue): string {
  const given = isObject(value) ? value.get('@class') : undefined;
  const kind = typeof given === 'string' ? given : 'no class';
  return `is of a kind that is not known here (${kind})`;
}

/** A handler that sets a field of the definition to the member's value, if there is one. It is validated later. */
export function field(name: string): Handler {
  return (value, member, draft) => {
    if (value !== null && value !== '') draft.take(member, name, value);
  };
}

/** A handler for a member that changes neither the access of users nor the data that services get. */
export function withoutEffect(reason: string): Handler {
  return (value, member, draft) => {
    if (!isUnset(value)) draft.addWithoutEffect(member, reason);
  };
}

export const notUnderstood: Handler = (value, member, draft) => {
  if (!isUnset(value)) draft.addNotUnderstood(member, 'is not understood');
};

/** Texts with which Apereo's enumerations say that nothing is set. */
const UNSET_TEXTS = new Set(['', 'NONE', 'NOT_SET', 'UNDEFINED', 'DEFAULT']);

export function isObject(value: HjsonValue): value is HjsonObject {
  return value instanceof Map;
}

/** The entries of `[…]` or of `["java.util.HashSet", […]]`; undefined for anything else. */
function collectionOf(value: HjsonValue): readonly HjsonValue[] | undefined {
  if (!isArray(value)) return undefined;
  const [kind, entries, ...others] = value;
  const isTyped = typeof kind === 'string' && kind.startsWith('java.util.') && others.length === 0;
  return isTyped && entries !== undefined && isArray(entries) ? entries : value;
}

/** One text, or a collection of texts; undefined for anything else. */
export function textsOf(value: HjsonValue): readonly string[] | undefined {
  const entries = typeof value === 'string' ? [value] : collectionOf(value);
  return entries?.every((entry) => typeof entry === 'string') ? entries : undefined;
}

/** The members of an object without the name of its class. */
export function membersOf(object: HjsonObject): readonly (readonly [string, HjsonValue])[] {
  return [...object].filter(([name]) => name !== '@class');
}

/** The class of an object without its package; undefined for a class of another program. */
export function classOf(object: HjsonObject): string | undefined {
  const name = object.get('@class');
  if (typeof name !== 'string') return undefined;
  return /^org\.(?:apereo|jasig)\.cas\.(?:\w+\.)*(\w+)$/.exec(name)?.[1];
}

/** True for a value that sets nothing: null, false, zero, empty, or an object of such values. */
export function isUnset(value: HjsonValue): boolean {
  if (value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return UNSET_TEXTS.has(value);
  if (isObject(value)) return membersOf(value).every(([, member]) => isUnset(member));
  return collectionOf(value)?.length === 0;
}

function isArray(value: HjsonValue): value is readonly HjsonValue[] {
  return Array.isArray(value);
}
