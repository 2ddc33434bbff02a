import { describe, expect, test } from '@jest/globals';
import { ThrottleSettings } from './throttle-settings.js';

const settingsOf = (given: Partial<ThrottleSettings>) =>
  Object.assign(new ThrottleSettings(), given);

describe('the settings of throttling', () => {
  test('throttle the login form by default, and not REST', () => {
    expect(new ThrottleSettings().policies).toEqual({
      rest: undefined,
      login: { threshold: 10, addressThreshold: 100, window: 60_000 },
    });
    expect(settingsOf({ loginEnabled: false }).policies).toEqual({});
  });

  test.each([
    ['its defaults', {}, { threshold: 10, addressThreshold: 10, window: 60_000 }],
    [
      'one threshold for both',
      { restThreshold: 5 },
      { threshold: 5, addressThreshold: 5, window: 60_000 },
    ],
    [
      'what is given',
      { restThreshold: 5, restAddressThreshold: 50, restWindow: 1_000 },
      { threshold: 5, addressThreshold: 50, window: 1_000 },
    ],
  ])('give REST %s once it is enabled', (_what, given, policy) => {
    expect(settingsOf({ restEnabled: true, ...given }).policies).toMatchObject({ rest: policy });
  });

  test('refuse an address that may fail less often than one name at it', () => {
    const key = 'sso.throttle.rest.address-threshold';
    expect([...settingsOf({ restAddressThreshold: 9 }).check()]).toEqual([
      { key, message: 'must not be less than sso.throttle.rest.threshold' },
    ]);
    expect([...settingsOf({ restAddressThreshold: 10 }).check()]).toEqual([]);
    expect([...settingsOf({ loginThreshold: 200 }).check()]).toEqual([
      {
        key: 'sso.throttle.login.address-threshold',
        message: 'must not be less than sso.throttle.login.threshold',
      },
    ]);
    expect([...new ThrottleSettings().check()]).toEqual([]);
  });
});
