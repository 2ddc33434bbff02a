import { describe, expect, test } from '@jest/globals';
import type { Attributes, RegisteredClient } from '@tessera/services';
import { OidcSettings } from '../../settings/oidc-settings.js';
import { claimsOf, scopesOf } from './claims.js';

const ADA: Attributes = {
  displayName: ['Ada', 'Countess of Lovelace'],
  givenName: ['Ada'],
  sn: ['Lovelace'],
  mail: ['ada@example.org', 'second@example.org'],
  email_verified: ['TRUE'],
  telephoneNumber: ['+44 1'],
  phone_number_verified: ['no'],
  updated_at: ['1764260000'],
  memberOf: ['staff'],
  l: ['London'],
  st: ['Greater London'],
  ou: ['Engines'],
  amr: ['mfa'],
  auth_time: ['1'],
  sub: ['someone else'],
};

const claimsFor = (
  attributes: Attributes,
  settings: Partial<OidcSettings> = {},
  kind: 'principal' | 'anonymous' = 'principal',
): unknown =>
  claimsOf(
    { usernameAttribute: { kind } } as RegisteredClient,
    { id: 'ada', attributes },
    Object.assign(new OidcSettings(), settings),
  );

describe('claims', () => {
  test('are those of the standard scopes, from the attributes of directories', () => {
    expect(claimsFor(ADA)).toEqual({
      name: 'Ada',
      given_name: 'Ada',
      family_name: 'Lovelace',
      preferred_username: 'ada',
      email: 'ada@example.org',
      email_verified: true,
      phone_number: '+44 1',
      phone_number_verified: false,
      updated_at: 1_764_260_000,
      address: { locality: 'London', region: 'Greater London' },
      groups: ['staff'],
    });
  });

  test.each<readonly [string, Attributes, Partial<OidcSettings>, object]>([
    ['of nobody are few', {}, {}, { preferred_username: 'ada' }],
    [
      'that are no number are left out',
      { updated_at: ['today'] },
      {},
      { preferred_username: 'ada' },
    ],
    ['that are empty are no number', { updated_at: [' '] }, {}, { preferred_username: 'ada' }],
    [
      'come from other attributes by a setting',
      { upn: ['a@x'], town: ['Bath'] },
      { givenAttributes: { email: 'upn', 'address.locality': 'town' } },
      { preferred_username: 'ada', email: 'a@x', address: { locality: 'Bath' } },
    ],
    [
      'of a scope of your own have one value or several',
      { ou: ['Engines'], site: ['N', 'S'] },
      { scopes: { staff: ['ou', 'site'] } },
      { preferred_username: 'ada', ou: 'Engines', site: ['N', 'S'] },
    ],
    [
      'have the user name that an attribute gives',
      { preferred_username: ['countess'] },
      {},
      { preferred_username: 'countess' },
    ],
  ])('%s', (_name, attributes, settings, expected) => {
    expect(claimsFor(attributes, settings)).toEqual(expected);
  });

  test('of a pseudonym do not tell the user name', () => {
    expect(claimsFor({}, {}, 'anonymous')).toEqual({});
  });
});

test('a scope of your own may add claims to a standard one', () => {
  const { email, staff } = scopesOf({ scopes: { email: ['upn'], staff: ['ou'] } });
  expect([email, staff]).toEqual([['email', 'email_verified', 'upn'], ['ou']]);
});
