import { describe, expect, test } from '@jest/globals';
import {
  CONFORMANCE_USER,
  conformsToAuthenticationHandler,
  credentialOf,
} from './authentication-handler.conformance.js';
import { StaticHandler } from './static-handler.js';

const other = { name: 'casuser', password: 'Mellon', attributes: {} };

describe('the static handler', () => {
  conformsToAuthenticationHandler(() => new StaticHandler([other, CONFORMANCE_USER]));

  test('tells its users apart', async () => {
    const handler = new StaticHandler([other, CONFORMANCE_USER]);
    const { name, password } = CONFORMANCE_USER;
    expect(await handler.authenticate(credentialOf('casuser', password))).toEqual({
      refused: 'wrong password',
    });
    expect(await handler.authenticate(credentialOf(name, 'Mellon'))).toEqual({
      refused: 'wrong password',
    });
  });

  test('knows nobody when it has no users', async () => {
    const credential = credentialOf('', '');
    expect(await new StaticHandler([]).authenticate(credential)).toEqual({
      refused: 'unknown user',
    });
  });

  test.each([
    ['first', 0],
    ['second', 1],
    ['none', 2],
  ])('reads every name and password, also where the match is the %s', async (_which, position) => {
    const reads: string[] = [];
    const users = ['a', 'b'].map((name) => ({
      name,
      attributes: {},
      get password() {
        reads.push(name);
        return 'x';
      },
    }));
    await new StaticHandler(users).authenticate(credentialOf(['a', 'b', 'c'][position] ?? '', 'x'));
    expect(reads).toEqual(['a', 'b']);
  });
});
