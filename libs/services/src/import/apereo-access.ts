// Reads `accessStrategy` of a service file.
import {
  byClass,
  field,
  type Handler,
  type Handlers,
  isObject,
  isUnset,
  membersOf,
  notUnderstood,
  readMembers,
  textsOf,
  withoutEffect,
} from './member-handlers.js';

const requiredAttributes: Handler = (value, member, draft) => {
  const entries = isObject(value) ? membersOf(value) : undefined;
  if (value === null || entries?.length === 0) return;
  // An attribute without values is a violation, reported later by the validation of the definition.
  const read = (entries ?? []).map(
    ([name, values]) => [name, isUnset(values) ? [] : textsOf(values)] as const,
  );
  if (read.length === 0 || read.some(([, values]) => values === undefined)) {
    draft.addNotUnderstood(member, 'is not a map of names to texts');
    return;
  }
  draft.take(member, 'requiredAttributes', Object.fromEntries(read));
  for (const [name, values] of read) {
    if (values?.some((each) => /[\\.+*?()[\]{}|^$]/.test(each))) {
      draft.addWithoutEffect(`${member}.${name}`, 'is compared exactly, not as a pattern');
    }
  }
};

/** Tessera does not delegate authentication, so the allowed providers have no effect. */
const delegatedAuthentication: Handler = (value, member, draft) => {
  const exclusive = isObject(value) ? (value.get('exclusive') ?? null) : value;
  if (isUnset(exclusive)) {
    withoutEffect('has no effect: nobody logs in elsewhere')(value, member, draft);
  } else {
    notUnderstood(value, member, draft);
  }
};

const HANDLERS: Handlers = new Map([
  ['enabled', field('enabled')],
  ['ssoEnabled', field('ssoEnabled')],
  ['requiredAttributes', requiredAttributes],
  ['requireAllAttributes', () => {}],
  ['delegatedAuthenticationPolicy', delegatedAuthentication],
  ['order', withoutEffect('has no effect: there is one strategy')],
  ['unauthorizedRedirectUrl', withoutEffect('is not followed')],
]);

export const accessStrategy = byClass(
  new Map([
    [
      'DefaultRegisteredServiceAccessStrategy',
      (strategy, member, draft) => {
        readMembers(strategy, HANDLERS, draft, member);
        const all = strategy.get('requireAllAttributes') ?? true;
        const required = Object.keys(draft.fields['requiredAttributes'] ?? {}).length;
        if (all === true || (all === false && required < 2)) return;
        draft.addNotUnderstood(
          `${member}.requireAllAttributes`,
          'is not understood: every attribute is required here',
        );
      },
    ],
  ]),
);
