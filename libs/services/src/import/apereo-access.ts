// Reads `accessStrategy` of a service file.
import type { HjsonObject } from './hjson.js';
import {
  booleanOf,
  byClass,
  entriesOf,
  type Handler,
  isObject,
  isScript,
  isUnset,
  membersOf,
  notUnderstood,
  permission,
  readMembers,
  restricts,
  restrictsUnlessEmpty,
  SCRIPT,
  textsOf,
  withoutEffect,
} from './member-handlers.js';
import type { ServiceDraft } from './service-draft.js';

const requiredAttributes: Handler = (value, member, draft) => {
  const entries = isObject(value) ? entriesOf(value) : undefined;
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
    if (values?.some(isScript)) {
      draft.addNotUnderstood(`${member}.${name}`, SCRIPT);
    } else if (values?.some((text) => /[\\.+*?()[\]{}|^$]/.test(text))) {
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

/** Read with the strategy as a whole. */
const later: Handler = () => {};

/** Of a strategy, no member is skipped: a mistyped one may be one that closes. */
const MEMBERS = membersOf(
  {
    enabled: permission('enabled'),
    ssoEnabled: permission('ssoEnabled'),
    requiredAttributes,
    rejectedAttributes: restrictsUnlessEmpty,
    requireAllAttributes: later,
    caseInsensitive: later,
    activationCriteria: restricts,
    delegatedAuthenticationPolicy: delegatedAuthentication,
    order: withoutEffect('has no effect: there is one strategy'),
    unauthorizedRedirectUrl: withoutEffect('is not followed'),
  },
  notUnderstood,
);

export const accessStrategy = byClass({
  DefaultRegisteredServiceAccessStrategy: (strategy, member, draft) => {
    readMembers(strategy, MEMBERS, draft, member);
    readComparison(strategy, member, draft);
  },
});

/** How the required attributes are compared: where too few are required, it restricts nothing. */
function readComparison(strategy: HjsonObject, member: string, draft: ServiceDraft): void {
  const required = Object.keys(draft.fields['requiredAttributes'] ?? {}).length;
  const all = booleanOf(strategy.get('requireAllAttributes') ?? true);
  if (all === undefined || (!all && required > 1)) {
    draft.addNotUnderstood(
      `${member}.requireAllAttributes`,
      'is not understood: every attribute is required here',
    );
  }
  const ignoresCase = booleanOf(strategy.get('caseInsensitive') ?? false);
  if (ignoresCase === undefined || (ignoresCase && required > 0)) {
    draft.addNotUnderstood(
      `${member}.caseInsensitive`,
      'is not understood: values are compared exactly here',
    );
  }
}
