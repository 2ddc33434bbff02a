// Reads `accessStrategy` of a service file.
import { patternOfValue } from '../matching/attribute-patterns.js';
import { fieldViolation } from '../service-definition.js';
import type { HjsonObject } from './hjson.js';
import { isOfWholeValue, readValues, type ValueRule } from './java-value-patterns.js';
import {
  booleanOf,
  byClass,
  entriesOf,
  type Handler,
  isObject,
  isUnset,
  membersOf,
  notUnderstood,
  permission,
  readMembers,
  restricts,
  textsOf,
  withoutEffect,
} from './member-handlers.js';
import type { ServiceDraft } from './service-draft.js';

/** Tessera does not delegate authentication, so the allowed providers have no effect. */
const delegatedAuthentication: Handler = (value, member, draft) => {
  const exclusive = isObject(value) ? (value.get('exclusive') ?? null) : value;
  if (isUnset(exclusive)) {
    withoutEffect('has no effect: nobody logs in elsewhere')(value, member, draft);
  } else {
    draft.addNotUnderstood(member, 'admits logins elsewhere alone, which are not here');
  }
};

/** It restricts nothing: an invalid one is left out. */
const unauthorizedRedirectUrl: Handler = (value, member, draft) => {
  if (isUnset(value)) return;
  const violation = fieldViolation('unauthorizedRedirectUrl', value);
  if (violation === undefined) draft.take(member, 'unauthorizedRedirectUrl', value);
  else draft.addWithoutEffect(member, `${violation}: refused users see a page`);
};

/** Read with the strategy as a whole. */
const later: Handler = () => {};

/** Of a strategy, no member is skipped: a mistyped one may be one that closes. */
const MEMBERS = membersOf(
  {
    enabled: permission('enabled'),
    ssoEnabled: permission('ssoEnabled'),
    requiredAttributes: later,
    rejectedAttributes: later,
    requireAllAttributes: later,
    caseInsensitive: later,
    activationCriteria: restricts(
      'lets the strategy count for some users alone, which is not done here',
    ),
    delegatedAuthenticationPolicy: delegatedAuthentication,
    order: withoutEffect('has no effect: there is one strategy'),
    unauthorizedRedirectUrl,
  },
  notUnderstood,
);

export const accessStrategy = byClass({
  DefaultRegisteredServiceAccessStrategy: (strategy, member, draft) => {
    readMembers(strategy, MEMBERS, draft, member);
    readAttributeRules(strategy, member, draft);
  },
});

interface AttributeRules {
  readonly field: 'requiredAttributes' | 'rejectedAttributes';
  readonly rule: ValueRule;
}

/** The rules on attributes, and the two flags that they share. */
function readAttributeRules(strategy: HjsonObject, member: string, draft: ServiceDraft): void {
  const ignoresCase = booleanOf(strategy.get('caseInsensitive') ?? false);
  const all = booleanOf(strategy.get('requireAllAttributes') ?? true);
  const required = readAttributes(strategy, member, draft, {
    field: 'requiredAttributes',
    rule: { ignoresCase: ignoresCase === true, matchesParts: false },
  });
  const rejected = readAttributes(strategy, member, draft, {
    field: 'rejectedAttributes',
    rule: { ignoresCase: ignoresCase === true, matchesParts: true },
  });
  if (ignoresCase === undefined) {
    draft.addNotUnderstood(`${member}.caseInsensitive`, 'must be true or false');
  }
  if (all === undefined) {
    draft.addNotUnderstood(`${member}.requireAllAttributes`, 'must be true or false');
  } else if (!all && required > 1) {
    draft.take(`${member}.requireAllAttributes`, 'requireAllAttributes', false);
  }
  if (all !== false && rejected > 1) {
    draft.addWithoutEffect(
      `${member}.rejectedAttributes`,
      'refuse each by itself here: in Apereo CAS only all of them together do',
    );
  }
}

/** @returns the number of attributes */
function readAttributes(
  strategy: HjsonObject,
  parent: string,
  draft: ServiceDraft,
  { field, rule }: AttributeRules,
): number {
  const value = strategy.get(field) ?? null;
  const member = `${parent}.${field}`;
  const entries = isObject(value) ? entriesOf(value) : undefined;
  if (value === null || entries?.length === 0) return 0;
  const read = (entries ?? []).map(
    ([name, values]) => [name, isUnset(values) ? [] : textsOf(values)] as const,
  );
  if (read.length === 0 || read.some(([, values]) => values === undefined)) {
    draft.addNotUnderstood(member, 'is not a map of names to texts');
    return 0;
  }
  const patterns = read.map(([name, values = []]) => {
    return [name, patternsOf(`${member}.${name}`, values, draft, rule)] as const;
  });
  // An attribute without values is a violation, reported later by the validation of the definition.
  draft.take(member, field, Object.fromEntries(patterns));
  return read.length;
}

/** What cannot be kept stays as a text, so that the rule does not vanish where the service is enabled later. */
function patternsOf(
  member: string,
  values: readonly string[],
  draft: ServiceDraft,
  rule: ValueRule,
): readonly string[] {
  const read = readValues(values, rule);
  if ('reason' in read) {
    draft.addNotUnderstood(member, read.reason);
    return values.map(patternOfValue);
  }
  for (const note of read.notes) draft.addWithoutEffect(member, note);
  if (!rule.matchesParts && !read.patterns.every(isOfWholeValue)) {
    draft.addWithoutEffect(
      member,
      'must match a whole value here, not a part: write .* at both ends where a part is meant',
    );
  }
  return read.patterns;
}
