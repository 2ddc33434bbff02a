// Reads `attributeReleasePolicy` and `usernameAttributeProvider` of an OpenID Connect or OAuth service.
import { shibbolethKey } from '../pseudonyms.js';
import { chain } from './apereo-release-chain.js';
import { POLICIES, USERNAME_PROVIDERS } from './apereo-release.js';
import type { HjsonObject, HjsonValue } from './hjson.js';
import {
  byClass,
  classOf,
  type Handler,
  isObject,
  isScript,
  isUnset,
  membersOf,
  type ObjectReader,
  readMembers,
  restricts,
  restrictsUnlessEmpty,
  textOf,
  textsOf,
  withoutEffect,
} from './member-handlers.js';
import type { ServiceDraft } from './service-draft.js';

const EVERY_CLAIM = { kind: 'all' };
const harmless: Handler = () => {};
const later: Handler = () => {};

const SCOPE_POLICY = {
  order: harmless,
  authorizedToReleaseCredentialPassword: withoutEffect('is never released'),
  authorizedToReleaseProxyGrantingTicket: withoutEffect('is never released as an attribute'),
  authorizedToReleaseAuthenticationAttributes: harmless,
  claimMappings: restrictsUnlessEmpty(
    'gives claims other attributes for one client: set sso.oidc.claims for all clients, and remove it',
  ),
};

/** The scopes that the client asks for choose the claims. */
const scopePolicy = (own: Readonly<Record<string, Handler>>): ObjectReader => {
  const members = membersOf({ ...SCOPE_POLICY, ...own });
  return (object, member, draft) =>
    draft.takeWhole(member, 'attributeRelease', EVERY_CLAIM, () =>
      readMembers(object, members, draft, member),
    );
};

const standardScope = scopePolicy({
  allowedAttributes: restrictsUnlessEmpty(
    'leaves out some claims of the scope: write a ReturnAllowedAttributeReleasePolicy with the attributes of the others',
  ),
});

const customScope: ObjectReader = (object, member, draft) => {
  const scope = textOf(object.get('scopeName') ?? null) ?? '';
  const claims = textsOf(object.get('allowedAttributes') ?? null) ?? [];
  draft.addWithoutEffect(member, `${definesScope(scope)}: ${claims.join(', ') || 'none'}`);
  scopePolicy({ allowedAttributes: later, scopeName: later })(object, member, draft);
};

/** The beginning of a note. */
export function definesScope(scope: string): string {
  return `defines the scope ${scope}: set sso.oidc.scopes.${scope} to its claims`;
}

const CLIENT_POLICIES: Readonly<Record<string, ObjectReader>> = {
  ...POLICIES,
  OidcOpenIdScopeAttributeReleasePolicy: standardScope,
  OidcProfileScopeAttributeReleasePolicy: standardScope,
  OidcEmailScopeAttributeReleasePolicy: standardScope,
  OidcAddressScopeAttributeReleasePolicy: standardScope,
  OidcPhoneScopeAttributeReleasePolicy: standardScope,
  OidcOfflineAccessScopeAttributeReleasePolicy: standardScope,
  OidcCustomScopeAttributeReleasePolicy: customScope,
};
const allowed = CLIENT_POLICIES['ReturnAllowedAttributeReleasePolicy'];

export const clientReleasePolicy = byClass({
  ...CLIENT_POLICIES,
  ...(allowed && { OidcScopeFreeAttributeReleasePolicy: allowed }),
  ChainingAttributeReleasePolicy: chain(byClass(CLIENT_POLICIES)),
});

const PAIRWISE_PROVIDER = 'PairwiseOidcRegisteredServiceUsernameAttributeProvider';
const PAIRWISE = membersOf({
  persistentIdGenerator: later,
  canonicalizationMode: restricts('changes the letters of identifiers, which is not done here'),
  encryptUsername: restricts('encrypts identifiers, which is not done here'),
  scope: restrictsUnlessEmpty('adds a domain to identifiers, which is not done here'),
  removePattern: restrictsUnlessEmpty('removes parts of identifiers, which is not done here'),
});
const GENERATORS = new Set([
  'OidcPairwisePersistentIdGenerator',
  'ShibbolethCompatiblePersistentIdGenerator',
]);
const GENERATOR = membersOf({
  salt: later,
  attribute: restrictsUnlessEmpty('makes identifiers of an attribute, which is not done here'),
});

/** @param file the whole service: the sector is in other members */
export const usernameProvider = (file: HjsonObject): Handler =>
  byClass({
    ...USERNAME_PROVIDERS,
    [PAIRWISE_PROVIDER]: (object, member, draft) => {
      if (isPairwise(file)) readPairwise(object, { member, file, draft });
      else draft.addWithoutEffect(member, 'has no effect: subjectType is not pairwise');
    },
  });

/** Apereo CAS makes the identifiers in the provider alone. */
export const subjectType =
  (file: HjsonObject): Handler =>
  (_value, member, draft) => {
    if (!isPairwise(file) || hasPairwiseProvider(file)) draft.take(member);
    else {
      draft.addWithoutEffect(member, 'has no effect without a pairwise usernameAttributeProvider');
    }
  };

export const sectorIdentifier =
  (file: HjsonObject): Handler =>
  (_value, member, draft) => {
    if (isPairwise(file) && hasPairwiseProvider(file)) draft.take(member);
    else draft.addWithoutEffect(member, 'has no effect without pairwise identifiers');
  };

function hasPairwiseProvider(file: HjsonObject): boolean {
  const provider = file.get('usernameAttributeProvider') ?? null;
  return isObject(provider) && classOf(provider) === PAIRWISE_PROVIDER;
}

function isPairwise(file: HjsonObject): boolean {
  return textOf(file.get('subjectType') ?? null)?.toLowerCase() === 'pairwise';
}

interface Pairwise {
  readonly member: string;
  readonly file: HjsonObject;
  readonly draft: ServiceDraft;
}

function readPairwise(provider: HjsonObject, { member, file, draft }: Pairwise): void {
  readMembers(provider, PAIRWISE, draft, member);
  draft.take(member, 'usernameAttribute', { kind: 'anonymous' });
  const path = `${member}.persistentIdGenerator`;
  const generator = provider.get('persistentIdGenerator') ?? null;
  if (isUnset(generator)) {
    draft.addWithoutEffect(member, 'has no salt: users get other identifiers than they had');
    return;
  }
  if (!isObject(generator) || !GENERATORS.has(classOf(generator) ?? '')) {
    draft.addNotUnderstood(path, 'makes identifiers in a way that is not known here');
    return;
  }
  readMembers(generator, GENERATOR, draft, path);
  const salt = textOf(generator.get('salt') ?? null) ?? '';
  const sector = sectorOf(file);
  if (salt.trim() === '') {
    draft.addWithoutEffect(path, 'has no salt: users get other identifiers than they had');
  } else if (isScript(salt) || salt.startsWith('{')) {
    draft.addNotUnderstood(`${path}.salt`, 'is an expression or encrypted: write the salt itself');
  } else if (sector === undefined) {
    draft.addNotUnderstood(
      path,
      'makes identifiers of the host in serviceId, which is a pattern: add the sectorIdentifierUri that its users have',
    );
  } else {
    draft.pseudonymSalt = shibbolethKey({ sector, salt });
    draft.take(`${path}.salt`);
    draft.addWithoutEffect(
      member,
      `keeps the identifiers of users, of the sector ${sector}: compare that of one user with the old server`,
    );
  }
}

/** The host of `sectorIdentifierUri`, or of a `serviceId` whose host is written without signs of a pattern. */
function sectorOf(file: HjsonObject): string | undefined {
  const uri = textOf(file.get('sectorIdentifierUri') ?? null) ?? '';
  const url = uri.trim() === '' ? hostIn(file.get('serviceId') ?? null) : uri;
  return /^https?:\/\/([A-Za-z0-9.-]+)(?::\d+)?(?:[/?#]|$)/.exec(url)?.[1];
}

function hostIn(serviceId: HjsonValue): string {
  return (textOf(serviceId) ?? '').replace(/^\^/, '');
}
