import { expect, test } from '@jest/globals';
import { roleViolations } from './setting-rules.js';

const NAME = 'of.role-name';
const VALUE = 'of.role-value';

const violations = (roleName: string, roleValue: string) => [
  ...roleViolations('of', { roleName, roleValue }),
];

test.each([
  ['', 'admin', { key: NAME, message: `is required with ${VALUE}` }],
  ['memberOf', '', { key: VALUE, message: `is required with ${NAME}` }],
  [
    'memberOf',
    'admin(',
    {
      key: VALUE,
      message: 'is not an RE2 pattern: missing closing ): admin(',
      rule: 'is not an RE2 pattern: missing closing )',
    },
  ],
])('a role may not be %j with %j', (name, value, violation) => {
  expect(violations(name, value)).toEqual([violation]);
});

test('the violations of a role are reported together', () => {
  expect(violations('', '(').map(({ key }) => key)).toEqual([NAME, VALUE]);
});

test.each([
  ['', ''],
  ['memberOf', 'admin'],
  ['memberOf', 'cn=(admin|ops),.*'],
])('a role may be %j with %j', (name, value) => {
  expect(violations(name, value)).toEqual([]);
});
