// Reads the members of objects in Apereo's service files by tables that give each known member its sense.
import type { HjsonObject, HjsonValue } from './hjson.js';
import type { ServiceDraft } from './service-draft.js';

/** Reads one member. `member` is its path in the file. */
export type Handler = (value: HjsonValue, member: string, draft: ServiceDraft) => void;

/** The members of an object. */
export interface Members {
  readonly known: ReadonlyMap<string, Handler>;
  readonly others: Handler;
}

/** Reads an object. `member` is its path in the file. */
export type ObjectReader = (object: HjsonObject, member: string, draft: ServiceDraft) => void;

/** @param others reads the members without a handler; by default {@link unknown} */
export function membersOf(
  known: Readonly<Record<string, Handler>>,
  others: Handler = unknown,
): Members {
  return { known: new Map(Object.entries(known)), others };
}

/** Calls the handler of each member. */
export function readMembers(
  object: HjsonObject,
  { known, others }: Members,
  draft: ServiceDraft,
  path = '',
): void {
  for (const [name, value] of entriesOf(object)) {
    const handler = known.get(name) ?? others;
    handler(value, path === '' ? name : `${path}.${name}`, draft);
  }
}

/** A handler that reads an object by the reader of its class. */
export function byClass(readers: Readonly<Record<string, ObjectReader>>): Handler {
  const known = new Map(Object.entries(readers));
  return (value, member, draft) => {
    if (value === null) return;
    const name = isObject(value) ? classOf(value) : undefined;
    const read = name === undefined ? undefined : known.get(name);
    if (read !== undefined && isObject(value)) {
      read(value, member, draft);
    } else {
      draft.addNotUnderstood(member, unknownKind(value));
    }
  };
}

/** A policy of which the default class alone is known. It is judged by its members. */
export function policyOf(className: string, members: Members): Handler {
  const read = byClass({
    [className]: (object, member, draft) => readMembers(object, members, draft, member),
  });
  return (value, member, draft) => {
    if (!isEmpty(value)) read(value, member, draft);
  };
}

/** The reason to report for a value whose class has no reader. */
export function unknownKind(value: HjsonValue): string {
  const given = isObject(value) ? value.get('@class') : undefined;
  const kind = typeof given === 'string' ? given : 'no class';
  if (SCRIPT_CLASS.test(kind)) return `${SCRIPT} (${kind})`;
  return `is of a kind that is not known here (${kind})`;
}

/** Sets a field of the definition to the member's value, if there is one. It is validated later. */
export function field(name: string): Handler {
  return (value, member, draft) => {
    if (value !== null && value !== '') draft.take(member, name, value);
  };
}

/** `false` closes. Where a file has the member in two places, `false` wins. */
export function permission(name: 'enabled' | 'ssoEnabled'): Handler {
  return (value, member, draft) => {
    const given = booleanOf(value);
    if (given === undefined) draft.addNotUnderstood(member, 'must be true or false');
    else draft.take(member, name, given && draft.fields[name] !== false);
  };
}

/** A member that changes neither the access of users nor the data that services get, whatever its value. */
export function withoutEffect(reason: string): Handler {
  return (value, member, draft) => {
    if (!isUnset(value)) draft.addWithoutEffect(member, reason);
  };
}

/** A flag, a word or a policy. It restricts unless it is unset. @param reason what is not done here */
export function restricts(reason = NOT_UNDERSTOOD): Handler {
  return (value, member, draft) => {
    if (!isUnset(value)) draft.addNotUnderstood(member, reason);
  };
}

/** A list, a map or a text. It restricts unless it is empty: `false` is no list. @param reason what is not done here */
export function restrictsUnlessEmpty(reason = NOT_UNDERSTOOD): Handler {
  return (value, member, draft) => {
    if (!isEmpty(value)) draft.addNotUnderstood(member, reason);
  };
}

/** The sense of the member is not known: `false` may close a service, and 0 may limit it. Only nothing says nothing. */
export const unknown: Handler = (value, member, draft) => {
  if (isEmpty(value)) draft.addWithoutEffect(member, 'is not known here, and empty');
  else notUnderstood(value, member, draft);
};

export const notUnderstood: Handler = (_value, member, draft) =>
  draft.addNotUnderstood(member, NOT_UNDERSTOOD);

/** A script of Apereo, or an expression of Spring, in the place of a text. */
export function isScript(text: string): boolean {
  return /^\s*groovy\s*\{|^\s*(?:file|classpath):|\.groovy\s*$|^\s*[#$]\{/i.test(text);
}

export const SCRIPT = 'is a script, which is not run here';
const SCRIPT_CLASS = /\.(?:\w*Scripted|\w*Script|Groovy)\w*$/;
const NOT_UNDERSTOOD = 'is not understood';

/** Texts with which Apereo's enumerations say that nothing is set. */
const UNSET_TEXTS = new Set(['NONE', 'NOT_SET', 'UNDEFINED', 'DEFAULT']);

const BOOLEANS = new Map<HjsonValue, boolean>([
  ...[true, 'true', 'True', 'TRUE'].map((each) => [each, true] as const),
  ...[false, 'false', 'False', 'FALSE'].map((each) => [each, false] as const),
]);

/** A boolean, or the spelling of one in quotes that Jackson takes for it. */
export function booleanOf(value: HjsonValue): boolean | undefined {
  return BOOLEANS.get(value);
}

/** An integer, or one in quotes, as Jackson takes it. */
export function integerOf(value: HjsonValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const digits = /^\s*\+?(-?\d{1,20})\s*$/.exec(value)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

export function isObject(value: HjsonValue): value is HjsonObject {
  return value instanceof Map;
}

/** The entries of `[…]` or of `["java.util.HashSet", […]]`; undefined for anything else. */
export function collectionOf(value: HjsonValue): readonly HjsonValue[] | undefined {
  if (!isArray(value)) return undefined;
  const [kind, entries, ...others] = value;
  const isTyped = typeof kind === 'string' && kind.startsWith('java.util.') && others.length === 0;
  return isTyped && entries !== undefined && isArray(entries) ? entries : value;
}

/** A text, or a number or boolean as Jackson makes a text of it; undefined for anything else. */
export function textOf(value: HjsonValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : integerOf(value)?.toString();
}

/** One text, or a collection of texts; undefined for anything else. */
export function textsOf(value: HjsonValue): readonly string[] | undefined {
  const entries = typeof value === 'string' ? [value] : collectionOf(value);
  return entries?.every((entry) => typeof entry === 'string') ? entries : undefined;
}

/** The members of an object without the name of its class. */
export function entriesOf(object: HjsonObject): readonly (readonly [string, HjsonValue])[] {
  return [...object].filter(([name]) => name !== '@class');
}

/** The class of an object without its package; undefined for a class of another program. */
export function classOf(object: HjsonObject): string | undefined {
  const name = object.get('@class');
  if (typeof name !== 'string') return undefined;
  return /^org\.(?:apereo|jasig)\.cas\.(?:\w+\.)*(\w+)$/.exec(name)?.[1];
}

/** For a member that restricts by any other value: null, false, zero, empty, or a word of Apereo's for nothing. */
export function isUnset(value: HjsonValue): boolean {
  if (isEmpty(value) || value === 0 || booleanOf(value) === false) return true;
  return typeof value === 'string' && UNSET_TEXTS.has(value);
}

/** Null, or an empty text, collection or map. The class of an object says something already. */
function isEmpty(value: HjsonValue): boolean {
  if (value === null || value === '') return true;
  if (!isObject(value)) return collectionOf(value)?.length === 0;
  const name = value.get('@class') ?? 'java.util.Map';
  const isMap = typeof name === 'string' && name.startsWith('java.util.');
  return isMap && entriesOf(value).length === 0;
}

function isArray(value: HjsonValue): value is readonly HjsonValue[] {
  return Array.isArray(value);
}
