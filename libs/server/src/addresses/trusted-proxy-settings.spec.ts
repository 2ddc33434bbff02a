import { describe, expect, test } from '@jest/globals';
import { trustedProxySettings } from './trusted-proxy-settings.js';

const violations = (...trusted: readonly string[]) => [
  ...Object.assign(new (trustedProxySettings('sso'))(), { trusted }).check(),
];

describe('the trusted proxies', () => {
  test('are all checked: every element that cannot be read is named', () => {
    expect(violations('10.0.0.0/33', '10.0.0.0/8', 'proxy')).toEqual([
      {
        key: 'sso.proxies.trusted',
        message: '"10.0.0.0/33" has a prefix longer than 32; "proxy" is no IP address or CIDR',
        rule: 'element 1 has a prefix longer than 32; element 3 is no IP address or CIDR',
      },
    ]);
  });

  test.each(['0.0.0.0/0', '::/0'])('must not contain every address: %s', (range) => {
    expect(violations('10.0.0.1', range)).toEqual([
      {
        key: 'sso.proxies.trusted',
        message: 'must not contain every address: any caller would be trusted',
      },
    ]);
  });

  test.each([[[]], [['10.0.0.1']], [['10.0.0.0/8', '2001:db8::/32']]])('may be %j', (trusted) => {
    expect(violations(...trusted)).toEqual([]);
  });
});
