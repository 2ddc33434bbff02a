import { describe, expect, test } from '@jest/globals';
import { Secret } from '@tessera/config';
import { ManagementSettings } from './management-settings.js';

const TOKEN = 'sso.management.token';
const REFUSED =
  'must have 20 to 512 characters, of A-Z a-z 0-9 - . _ ~ + / (openssl rand -hex 32 makes one)';

function violations(token: string | undefined, roleName = '', roleValue = ''): unknown[] {
  const secret = token === undefined ? undefined : new Secret(token);
  return [
    ...Object.assign(new ManagementSettings(), { token: secret, roleName, roleValue }).check(),
  ];
}

describe('the token that lets callers manage the server', () => {
  test.each([
    ['nothing', ''],
    ['too little', 'x'.repeat(19)],
    ['too much', 'x'.repeat(513)],
    ['white space', `${'x'.repeat(20)} ${'x'.repeat(20)}`],
    ['a line break at its end', `${'x'.repeat(20)}\n`],
    ['what no header carries', `${'x'.repeat(20)}\u00fc`],
    ['a colon', `operator:${'x'.repeat(20)}`],
    ['padding within', `${'x'.repeat(20)}=x`],
    ['padding alone', '='.repeat(20)],
  ])('may not be %s', (_what, token) => {
    expect(violations(token)).toEqual([{ key: TOKEN, message: REFUSED }]);
  });

  test.each([undefined, 'x'.repeat(20), 'aZ0-._~+/aZ0-._~+/aZ==', 'x'.repeat(512)])(
    'may be %j',
    (token) => {
      expect(violations(token)).toEqual([]);
    },
  );
});

test('the role that lets users manage the server has its violations reported with those of the token', () => {
  expect(violations('short', '', '(')).toMatchObject([
    { key: TOKEN },
    { key: 'sso.management.role-name' },
    { key: 'sso.management.role-value' },
  ]);
});
