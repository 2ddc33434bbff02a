import { expect, test } from '@jest/globals';
import { roleComplaints } from './role-complaints.js';

const NAME = 'of.role-name';
const VALUE = 'of.role-value';

const complaints = (roleName: string, roleValue: string) => [
  ...roleComplaints('of', { roleName, roleValue }),
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
])('a role may not be %j with %j', (name, value, complaint) => {
  expect(complaints(name, value)).toEqual([complaint]);
});

test('the faults of a role are reported together', () => {
  expect(complaints('', '(').map(({ key }) => key)).toEqual([NAME, VALUE]);
});

test.each([
  ['', ''],
  ['memberOf', 'admin'],
  ['memberOf', 'cn=(admin|ops),.*'],
])('a role may be %j with %j', (name, value) => {
  expect(complaints(name, value)).toEqual([]);
});
