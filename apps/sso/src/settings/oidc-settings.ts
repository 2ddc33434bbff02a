// The settings of OpenID Connect.
import { Max, Min } from 'class-validator';
import { duration, map, oneOf, Setting, text, texts } from '@tessera/config';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** The attributes of the standard claims, by the names that directories use. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  name: 'displayName',
  given_name: 'givenName',
  family_name: 'sn',
  email: 'mail',
  phone_number: 'telephoneNumber',
  groups: 'memberOf',
  'address.street_address': 'street',
  'address.locality': 'l',
  'address.region': 'st',
  'address.postal_code': 'postalCode',
  'address.country': 'c',
};

export class OidcSettings {
  @Setting('sso.oidc.access-token-lifetime', duration)
  @Min(10 * SECOND)
  @Max(DAY)
  accessTokenLifetime = HOUR;
  /** Also of a grant that outlives its session. */
  @Setting('sso.oidc.refresh-token-lifetime', duration)
  @Min(10 * SECOND)
  @Max(400 * DAY)
  refreshTokenLifetime = 14 * DAY;
  /** When users are asked before a client gets anything; of clients that say nothing of it. */
  @Setting('sso.oidc.consent', oneOf('always', 'once', 'never'))
  consent: 'always' | 'once' | 'never' = 'never';
  /** Whether clients register themselves: `token` with an initial access token. */
  @Setting('sso.oidc.registration', oneOf('off', 'token')) registration: 'off' | 'token' = 'off';
  /** Claims by scope, besides those of the standard scopes. */
  @Setting('sso.oidc.scopes', map(texts)) scopes: Readonly<Record<string, readonly string[]>> = {
    groups: ['groups'],
  };
  /** Attributes by claim; of other claims, the attribute has the same name. */
  @Setting('sso.oidc.claims', map(text)) givenAttributes: Readonly<Record<string, string>> = {};

  get claimAttributes(): Readonly<Record<string, string>> {
    return { ...ATTRIBUTES, ...this.givenAttributes };
  }
}
