import { describe, expect, test } from '@jest/globals';
import { OutgoingSettings } from './outgoing-settings.js';

const violations = (...allowed: readonly string[]) => [
  ...Object.assign(new OutgoingSettings(), { allowed }).check(),
];

describe('the addresses that outgoing calls may connect to', () => {
  test('are checked: an element that is no address is named', () => {
    expect(violations('10.0.0.0/8', 'intranet')).toEqual([
      {
        key: 'sso.outgoing.allowed-addresses',
        message: '"intranet" is no IP address or CIDR',
        rule: 'element 2 is no IP address or CIDR',
      },
    ]);
  });

  test.each(['0.0.0.0/0', '::/0'])('must not contain every address: %s', (range) => {
    expect(violations(range)).toEqual([
      {
        key: 'sso.outgoing.allowed-addresses',
        message: 'must not contain every address: services could make the server call any machine',
      },
    ]);
  });

  test('are none but public ones by default', () => {
    expect(violations()).toEqual([]);
    expect(new OutgoingSettings().allowedAddresses.contains('127.0.0.1')).toBe(false);
  });
});
