import { describe, expect, test } from '@jest/globals';
import { ThrottleSettings } from './throttle-settings.js';

const settingsOf = (given: Partial<ThrottleSettings>) =>
  Object.assign(new ThrottleSettings(), given);

describe('the settings of throttling', () => {
  test('leave REST unthrottled by default', () => {
    expect(new ThrottleSettings().policies).toEqual({ rest: undefined });
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
    expect(settingsOf({ restEnabled: true, ...given }).policies).toEqual({ rest: policy });
  });

  test('refuse an address that may fail less often than one name at it', () => {
    const key = 'sso.throttle.rest.address-threshold';
    expect([...settingsOf({ restAddressThreshold: 9 }).check()]).toEqual([
      { key, message: 'must not be less than sso.throttle.rest.threshold' },
    ]);
    expect([...settingsOf({ restAddressThreshold: 10 }).check()]).toEqual([]);
    expect([...new ThrottleSettings().check()]).toEqual([]);
  });
});
