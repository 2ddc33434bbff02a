// Reads `accessStrategy` of a service file: who may use the service.
import { isObject, membersOf, saysNothing, textsOf } from './apereo-values.js';
import {
  byClass,
  field,
  type Handler,
  type Handlers,
  notUnderstood,
  readMembers,
  withoutEffect,
} from './member-handlers.js';

const requiredAttributes: Handler = (value, member, draft) => {
  const entries = isObject(value) ? membersOf(value) : undefined;
  if (value === null || entries?.length === 0) return;
  // An attribute without values is refused later: nobody can say whom it lets in.
  const read = (entries ?? []).map(
    ([name, values]) => [name, saysNothing(values) ? [] : textsOf(values)] as const,
  );
  if (read.length === 0 || read.some(([, values]) => values === undefined)) {
    draft.doNotUnderstand(member, 'is not a map of names to texts');
    return;
  }
  draft.take(member, 'requiredAttributes', Object.fromEntries(read));
  for (const [name, values] of read) {
    if (values?.some((each) => /[\\.+*?()[\]{}|^$]/.test(each))) {
      draft.passOver(`${member}.${name}`, 'is compared exactly, not as a pattern');
    }
  }
};

/** We have no other place to log in at, so which of them are allowed does not matter. */
const delegatedAuthentication: Handler = (value, member, draft) => {
  const onlyElsewhere = isObject(value) ? (value.get('exclusive') ?? null) : value;
  if (saysNothing(onlyElsewhere)) {
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
        draft.doNotUnderstand(
          `${member}.requireAllAttributes`,
          'is not understood: every attribute is required here',
        );
      },
    ],
  ]),
);
