// Reads `attributeReleasePolicy` and `usernameAttributeProvider` of a service file.
import { isRecord } from '../field-rules.js';
import type { LetterCase } from '../registered-service.js';
import { attributeFilter } from './apereo-attribute-filter.js';
import { chain } from './apereo-release-chain.js';
import type { HjsonValue } from './hjson.js';
import {
  booleanOf,
  byClass,
  entriesOf,
  type Handler,
  isObject,
  isScript,
  isUnset,
  membersOf,
  type ObjectReader,
  readMembers,
  restricts,
  restrictsUnlessEmpty,
  SCRIPT,
  textsOf,
  unknown,
  withoutEffect,
} from './member-handlers.js';
import type { ServiceDraft } from './service-draft.js';

const NONE = { kind: 'none' };
/** Of a policy that never releases anything. */
const NOTHING = { kind: 'none' };

const harmless: Handler = () => {};
const REPOSITORY = membersOf({
  expiration: harmless,
  duration: harmless,
  timeUnit: harmless,
  maxCacheSize: harmless,
  mergingStrategy: harmless,
  attributeRepositoryIds: harmless,
  ignoreResolvedAttributes: restricts('takes other attributes than those of the login'),
});

/** Caches attributes, or adds those of other stores. */
const repository: ObjectReader = (object, member, draft) => {
  draft.addWithoutEffect(member, 'has no effect: the attributes are those of the login');
  readMembers(object, REPOSITORY, draft, member);
};

const attributesRepository = byClass({
  DefaultPrincipalAttributesRepository: repository,
  CachingPrincipalAttributesRepository: repository,
});

/** Apereo asks for consent by a separate module. Many files have a policy that only enables it. */
const consentPolicy: Handler = (value, member, draft) => {
  const rest = isObject(value) ? entriesOf(value).filter(([name]) => name !== 'enabled') : [];
  const isPlain = isObject(value) && rest.every(([, each]) => isUnset(each));
  const handler = isPlain
    ? withoutEffect('is not asked for here')
    : restricts('asks users for consent, which is not done here');
  handler(value, member, draft);
};

const authenticationAttributes: Handler = (value, member, draft) => {
  if (value === null) return;
  const isReleased = booleanOf(value);
  if (isReleased === undefined) draft.addNotUnderstood(member, 'must be true or false');
  else draft.take(member, 'protocolAttributes', isReleased);
};

const excludeDefaultAttributes: Handler = (value, member, draft) => {
  if (value === null) return;
  const isExcluded = booleanOf(value);
  if (isExcluded === undefined) draft.addNotUnderstood(member, 'must be true or false');
  else draft.take(member, 'defaultAttributes', !isExcluded);
};

/** Read with the policy as a whole. */
const later: Handler = () => {};

/** In any letter case: Apereo CAS ignores it in some places. */
const excludedAttributes: Handler = (value, member, draft) => {
  const excluded = isUnset(value) ? [] : textsOf(value);
  if (excluded === undefined) draft.addNotUnderstood(member, 'is not a list of names');
  else if (excluded.length > 0) draft.take(member, 'attributeRelease', { kind: 'all', excluded });
};

const POLICY = {
  principalAttributesRepository: attributesRepository,
  consentPolicy,
  attributeFilter: later,
  excludedAttributes: restrictsUnlessEmpty('is known for ReturnAllAttributeReleasePolicy alone'),
  activationCriteria: restricts(
    'lets the policy count for some users alone, which is not done here',
  ),
  canonicalizationMode: restricts('changes the letters of released values, which is not done here'),
  authorizedToReleaseCredentialPassword: withoutEffect('is never released'),
  authorizedToReleaseProxyGrantingTicket: withoutEffect('is never released as an attribute'),
  authorizedToReleaseAuthenticationAttributes: authenticationAttributes,
  excludeDefaultAttributes,
  principalIdAttribute: withoutEffect('has no effect: the name is not released twice'),
  order: withoutEffect('has no effect: there is one policy'),
};

const NOTHING_RELEASED = withoutEffect('has no effect: nothing is released');

const allowedAttributes: Handler = (value, member, draft) => {
  const names = isUnset(value) ? [] : textsOf(value);
  if (names === undefined) draft.addNotUnderstood(member, 'is not a list of names');
  else if (names.some(isScript)) draft.addNotUnderstood(member, SCRIPT);
  else draft.take(member, 'attributeRelease', names.length > 0 ? { kind: 'allowed', names } : NONE);
};

const mappedAttributes: Handler = (value, member, draft) => {
  const entries = isObject(value) ? entriesOf(value) : [];
  const names = entries.map(([name, targets]) => [name, textsOf(targets)] as const);
  const scripts = names.filter(([, targets]) => targets?.some(isScript));
  for (const [name] of scripts) draft.addNotUnderstood(`${member}.${name}`, SCRIPT);
  if (!isObject(value) || names.some(([, targets]) => targets === undefined)) {
    draft.addNotUnderstood(member, 'is not a map of names to names');
    return;
  }
  const mapped = { kind: 'mapped', names: Object.fromEntries(names) };
  draft.take(member, 'attributeRelease', names.length > 0 ? mapped : NONE);
};

function policy(
  attributeRelease: object,
  own: Readonly<Record<string, Handler>> = {},
  others: Handler = unknown,
): ObjectReader {
  const members = membersOf({ ...POLICY, ...own }, others);
  return (object, member, draft) => {
    draft.takeWhole(member, 'attributeRelease', attributeRelease, () => {
      readMembers(object, members, draft, member);
      const filter = object.get('attributeFilter') ?? null;
      if (attributeRelease !== NOTHING && !isUnset(filter)) {
        attributeFilter(filter, `${member}.attributeFilter`, draft);
      }
    });
  };
}

const denyAll = policy(
  NOTHING,
  { attributeFilter: NOTHING_RELEASED, excludedAttributes: NOTHING_RELEASED },
  NOTHING_RELEASED,
);

/** By class. */
export const POLICIES: Readonly<Record<string, ObjectReader>> = {
  /** It releases neither default attributes nor those of the protocol, unless the file says so. */
  DenyAllAttributeReleasePolicy: (object, member, draft) => {
    draft.take(member, 'protocolAttributes', false);
    draft.take(member, 'defaultAttributes', false);
    denyAll(object, member, draft);
  },
  ReturnAllAttributeReleasePolicy: policy({ kind: 'all' }, { excludedAttributes }),
  ReturnAllowedAttributeReleasePolicy: policy(NONE, { allowedAttributes }),
  ReturnMappedAttributeReleasePolicy: policy(NONE, { allowedAttributes: mappedAttributes }),
};

export const attributeReleasePolicy = byClass({
  ...POLICIES,
  ChainingAttributeReleasePolicy: chain(byClass(POLICIES)),
});

const attributeName: Handler = (value, member, draft) =>
  draft.take(member, 'usernameAttribute', { kind: 'attribute', name: value });

const LETTER_CASES = new Map<HjsonValue, LetterCase>([
  ['LOWER', 'lower'],
  ['UPPER', 'upper'],
]);

/** A pseudonym in other letters would no longer be that of one user. */
function letterCase(value: HjsonValue, member: string, draft: ServiceDraft): void {
  const given = LETTER_CASES.get(value);
  const attribute = draft.fields['usernameAttribute'];
  if (given === undefined || !isRecord(attribute) || attribute['kind'] === 'anonymous') {
    restricts('is neither LOWER nor UPPER, or changes a pseudonym')(value, member, draft);
  } else {
    draft.take(member, 'usernameAttribute', { ...attribute, letterCase: given });
  }
}

function username(
  usernameAttribute: object,
  own: Readonly<Record<string, Handler>> = {},
): ObjectReader {
  const members = membersOf({
    canonicalizationMode: later,
    encryptUsername: restricts('encrypts the user name, which is not done here'),
    scope: restrictsUnlessEmpty('adds a domain to the user name, which is not done here'),
    removePattern: restrictsUnlessEmpty('removes parts of the user name, which is not done here'),
    ...own,
  });
  return (object, member, draft) => {
    draft.takeWhole(member, 'usernameAttribute', usernameAttribute, () => {
      readMembers(object, members, draft, member);
      letterCase(
        object.get('canonicalizationMode') ?? null,
        `${member}.canonicalizationMode`,
        draft,
      );
    });
  };
}

/** By class. */
export const USERNAME_PROVIDERS: Readonly<Record<string, ObjectReader>> = {
  DefaultRegisteredServiceUsernameProvider: username({ kind: 'principal' }),
  PrincipalAttributeRegisteredServiceUsernameProvider: username(
    { kind: 'attribute' },
    { usernameAttribute: attributeName },
  ),
  AnonymousRegisteredServiceUsernameAttributeProvider: username(
    { kind: 'anonymous' },
    {
      persistentIdGenerator: withoutEffect(
        'has no effect: users get other pseudonyms than they had',
      ),
    },
  ),
};

export const usernameAttributeProvider = byClass(USERNAME_PROVIDERS);
