import { describe, expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/settings';
import { SsoSettings } from '../settings.js';
import { RestServicesSettings } from './rest-services-settings.js';

const NAME = 'sso.rest.services.role-name';
const VALUE = 'sso.rest.services.role-value';

const complaints = (roleName: string, roleValue: string) => [
  ...Object.assign(new RestServicesSettings(), { roleName, roleValue }).check(),
];

const load = (...argv: readonly string[]) =>
  loadSettings(SsoSettings, {
    application: 'sso',
    env: {},
    argv: ['--profiles.active=dev', ...argv],
  });

describe('the role that lets a principal register services', () => {
  test.each([
    ['', 'admin', { key: NAME, message: `is required with ${VALUE}` }],
    ['memberOf', '', { key: VALUE, message: `is required with ${NAME}` }],
    [
      'memberOf',
      'admin(',
      { key: VALUE, message: 'is not an RE2 pattern: missing closing ): admin(' },
    ],
  ])('may not be %j with %j', (name, value, complaint) => {
    expect(complaints(name, value)).toEqual([complaint]);
  });

  test('has all its faults reported together', () => {
    expect(complaints('', '(').map(({ key }) => key)).toEqual([NAME, VALUE]);
  });

  test.each([
    ['', ''],
    ['memberOf', 'admin'],
    ['memberOf', 'cn=(admin|ops),.*'],
  ])('may be %j with %j', (name, value) => {
    expect(complaints(name, value)).toEqual([]);
  });

  test('is none unless told', () => {
    expect(new RestServicesSettings()).toMatchObject({ roleName: '', roleValue: '' });
  });

  test('is that of the demo user in profile dev', async () => {
    const { settings } = await load();
    expect(settings.restServices).toMatchObject({ roleName: 'memberOf', roleValue: 'admin' });
  });

  test.each([
    [`--${NAME}=`, `${NAME}.* is required with ${VALUE}`],
    [`--${VALUE}=`, `${VALUE}.* is required with ${NAME}`],
    [`--${VALUE}=(?=a)`, `${VALUE}.* is not an RE2 pattern`],
  ])('lets no application start with %s', async (setting, message) => {
    await expect(load(setting)).rejects.toThrow(new RegExp(message));
  });
});
