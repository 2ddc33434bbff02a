// The claims that clients get of a user, from released attributes. @see OpenID Connect Core 1.0, section 5
import type { AccountClaims } from 'oidc-provider';
import {
  type Attributes,
  type Principal,
  type RegisteredClient,
  valuesOf,
} from '@tessera/services';
import type { OidcSettings } from '../../settings/oidc-settings.js';

/** Those that the library itself knows: no attribute may take their place. */
const OF_SESSION = ['sub', 'auth_time', 'amr', 'acr', 'sid', 'iss'];

/** The claims of the standard scopes. @see OpenID Connect Core 1.0, section 5.4 */
export const STANDARD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  // The library adds the time and the methods of the login to ID tokens alone.
  openid: ['sub', 'auth_time', 'amr'],
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
  offline_access: [],
};

/** The members of the claim `address`. */
const ADDRESS = ['formatted', 'street_address', 'locality', 'region', 'postal_code', 'country'];
const BOOLEANS = ['email_verified', 'phone_number_verified'];
const NUMBERS = ['updated_at'];
/** They are lists, also of one value. @see RFC 9068, section 2.2.3.1 */
const LISTS = ['groups', 'roles', 'entitlements'];

/** The scopes of this server, with their claims. */
export function scopesOf({
  scopes,
}: Pick<OidcSettings, 'scopes'>): Readonly<Record<string, readonly string[]>> {
  const all: Record<string, readonly string[]> = { ...STANDARD_SCOPES };
  for (const [name, claims] of Object.entries(scopes)) {
    all[name] = [...(STANDARD_SCOPES[name] ?? []), ...claims];
  }
  return all;
}

/** The claims for which the user has a value. The library picks those of the granted scopes. */
export function claimsOf(
  { usernameAttribute }: RegisteredClient,
  released: Principal,
  settings: Pick<OidcSettings, 'scopes' | 'claimAttributes'>,
): Omit<AccountClaims, 'sub'> {
  const claims = new Map<string, unknown>();
  const named = new Set(Object.values(scopesOf(settings)).flat());
  for (const claim of named) {
    if (OF_SESSION.includes(claim)) continue;
    const value = claimOf(claim, released, settings.claimAttributes);
    if (value !== undefined) claims.set(claim, value);
  }
  if (!claims.has('preferred_username') && usernameAttribute.kind !== 'anonymous') {
    claims.set('preferred_username', released.id);
  }
  return Object.fromEntries(claims);
}

/** Those of the granted scopes, as the library picks them. */
export function claimsWithin(
  scopes: readonly string[],
  claims: Readonly<Record<string, unknown>>,
  settings: Pick<OidcSettings, 'scopes'>,
): Readonly<Record<string, unknown>> {
  const named = new Set(scopes.flatMap((scope) => scopesOf(settings)[scope] ?? []));
  return Object.fromEntries(Object.entries(claims).filter(([claim]) => named.has(claim)));
}

/** The attributes from which the claims of the scopes come, by their own names. */
export function attributesWithin(
  scopes: readonly string[],
  { attributes }: Principal,
  settings: Pick<OidcSettings, 'scopes' | 'claimAttributes'>,
): Attributes {
  const claims = scopes.flatMap((scope) => scopesOf(settings)[scope] ?? []);
  const members = claims.flatMap((claim) =>
    claim === 'address' ? ADDRESS.map((member) => `address.${member}`) : [claim],
  );
  const named = members.map(
    (claim) => settings.claimAttributes[claim] ?? claim.replace('address.', ''),
  );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => named.includes(name)));
}

function claimOf(
  claim: string,
  released: Principal,
  attributes: OidcSettings['claimAttributes'],
): unknown {
  if (claim === 'address') return addressOf(released, attributes);
  const values = valuesOf(released, attributes[claim] ?? claim);
  const [first] = values;
  if (first === undefined) return undefined;
  if (BOOLEANS.includes(claim)) return first.toLowerCase() === 'true';
  if (NUMBERS.includes(claim)) return numberOf(first);
  if (LISTS.includes(claim)) return values;
  return values.length === 1 || isStandard(claim) ? first : values;
}

function addressOf(
  released: Principal,
  attributes: OidcSettings['claimAttributes'],
): object | undefined {
  const members = ADDRESS.flatMap((member) => {
    const [value] = valuesOf(released, attributes[`address.${member}`] ?? member);
    return value === undefined ? [] : [[member, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}

function isStandard(claim: string): boolean {
  return Object.values(STANDARD_SCOPES).some((claims) => claims.includes(claim));
}
