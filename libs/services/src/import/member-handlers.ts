// What a reader of service files does with each member of an object: a table of handlers by name, and
// one rule for the members it does not name.
import { classOf, isObject, membersOf, saysNothing } from './apereo-values.js';
import type { RelaxedJson, RelaxedObject } from './relaxed-json.js';
import type { ServiceDraft } from './service-draft.js';

/** Reads one member. `member` is its path in the file. */
export type Handler = (value: RelaxedJson, member: string, draft: ServiceDraft) => void;

export type Handlers = ReadonlyMap<string, Handler>;

/** A member without a handler may be there if it says nothing; otherwise it is not understood. */
export function readMembers(
  object: RelaxedObject,
  handlers: Handlers,
  draft: ServiceDraft,
  path = '',
): void {
  for (const [name, value] of membersOf(object)) {
    const handler = handlers.get(name) ?? notUnderstood;
    handler(value, path === '' ? name : `${path}.${name}`, draft);
  }
}

/** Reads an object by its class; the table gives what to do by class name. */
export function byClass(
  readers: ReadonlyMap<
    string,
    (object: RelaxedObject, member: string, draft: ServiceDraft) => void
  >,
): Handler {
  return (value, member, draft) => {
    if (value === null) return;
    const name = isObject(value) ? classOf(value) : undefined;
    const read = name === undefined ? undefined : readers.get(name);
    if (read !== undefined && isObject(value)) {
      read(value, member, draft);
    } else {
      draft.doNotUnderstand(member, unknownKind(value));
    }
  };
}

/** The reason to report for a value whose class has no reader. */
export function unknownKind(value: RelaxedJson): string {
  const given = isObject(value) ? value.get('@class') : undefined;
  const kind = typeof given === 'string' ? given : 'no class';
  return `is of a kind that is not known here (${kind})`;
}

/** Gives a field of the definition the member's value, if there is one: it is checked later. */
export function field(name: string): Handler {
  return (value, member, draft) => {
    if (value !== null && value !== '') draft.take(member, name, value);
  };
}

/** For what changes nothing in what a user may do or a service is told. */
export function withoutEffect(reason: string): Handler {
  return (value, member, draft) => {
    if (!saysNothing(value)) draft.passOver(member, reason);
  };
}

export const notUnderstood: Handler = (value, member, draft) => {
  if (!saysNothing(value)) draft.doNotUnderstand(member, 'is not understood');
};
