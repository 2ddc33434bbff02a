import { describe, expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/config';
import { SsoSettings } from './sso-settings.js';
import { RestServicesSettings } from './rest-services-settings.js';

const NAME = 'sso.rest.services.role-name';
const VALUE = 'sso.rest.services.role-value';

const load = (...argv: readonly string[]) =>
  loadSettings(SsoSettings, {
    application: 'sso',
    env: {},
    argv: ['--profiles.active=dev', ...argv],
  });

describe('the role that lets a principal register services', () => {
  test('is none by default', () => {
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
