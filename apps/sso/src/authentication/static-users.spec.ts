import { describe, expect, test } from '@jest/globals';
import { readStaticUsers } from './static-users.js';

describe('readStaticUsers', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['no separator', ['casuser:Mellon'], /user 1 is not/],
    ['no name', ['::Mellon'], /user 1 is not/],
    ['no password', ['casuser::'], /user 1 is not/],
    ['a control character in a name', ['a::x', 'b\u0007::Mellon'], /user 2 is not/],
    ['a name twice', ['a::x', 'b::y', 'a::Mellon'], /user 3 has the name of an earlier one, a/],
  ])('refuses %s, by its place and without the password', (_what, list, violation) => {
    expect(() => readStaticUsers(list, {})).toThrow(violation);
    expect(() => readStaticUsers(list, {})).not.toThrow(/Mellon/);
  });

  test('reports all violations at once', () => {
    const read = () => readStaticUsers(['a', 'b'], { c: { mail: 'x' } });
    expect(read).toThrow(/user 1 .*user 2 .*attributes are given for c, who is no user/);
  });

  test('takes the first separator: the rest is password, white space and all', () => {
    expect(readStaticUsers([' a ::b::c '], {})).toEqual([
      { name: 'a', password: 'b::c ', attributes: {} },
    ]);
  });

  test('gives each user their attributes, one value or several', () => {
    const attributes = { b: { mail: 'b@example.org', memberOf: ['x', 'y'] } };
    const users = readStaticUsers(['a::x', 'b::y', 'constructor::z'], attributes);
    expect(users.map((user) => user.attributes)).toEqual([
      {},
      { mail: ['b@example.org'], memberOf: ['x', 'y'] },
      {},
    ]);
  });
});
