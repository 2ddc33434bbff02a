import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { AccountStore, UserAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { createTestDatabase } from '../../../../test/support/database.js';
import { credentialOf } from './authentication-handler.conformance.js';
import { AuthenticationModule, type AuthenticationOptions } from './authentication.module.js';
import { Authenticator } from './authenticator.js';
import { readStaticUsers } from './static-users.js';

const context = { clientAddress: '192.0.2.7', entrance: 'rest' } as const;
const argon2 = { memory: 8, iterations: 1, parallelism: 1 };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  const passwordHash = await new PasswordHashing(argon2).hash('Mellon');
  await new AccountStore(database.dataSource).add({ name: 'alice', passwordHash });
});
afterAll(() => database.drop());

async function start(options: AuthenticationOptions) {
  const builder = Test.createTestingModule({ imports: [AuthenticationModule.forRoot(options)] });
  const module = await builder.compile();
  return { authenticator: module.get(Authenticator), stop: () => module.close() };
}

describe('AuthenticationModule', () => {
  test.each<[string, AuthenticationOptions, RegExp]>([
    ['accounts without a database', { handlers: ['accounts'] }, /needs a database/],
    ['ldap without a directory', { handlers: ['ldap'] }, /needs a directory/],
    [
      'throttling without a database',
      { handlers: ['static'], throttling: { rest: undefined } },
      /throttling needs a database/,
    ],
    [
      'an unknown handler',
      { handlers: [JSON.parse('"kerberos"')] },
      /there is no authentication handler "kerberos"/,
    ],
  ])('refuses %s', async (_what, options, problem) => {
    await expect(AuthenticationModule.forRoot(options)).rejects.toThrow(problem);
  });

  test('asks the handlers in the order it was given', async () => {
    const users = readStaticUsers(['alice::Mellon', 'bob::Mellon'], {});
    const { dataSource } = database;
    for (const [handlers, ofAlice] of [
      [['static', 'accounts'], 'static'],
      [['accounts', 'static'], 'accounts'],
    ] as const) {
      const { authenticator, stop } = await start({ handlers, users, dataSource, argon2 });
      const handlerOf = async (name: string) =>
        (await authenticator.authenticate(credentialOf(name, 'Mellon'), context))?.handler;
      expect([await handlerOf('alice'), await handlerOf('bob')]).toEqual([ofAlice, 'static']);
      await stop();
    }
  });

  test('writes renewed hashes before it stops', async () => {
    const { dataSource } = database;
    const stronger = { ...argon2, iterations: 2 };
    const { authenticator, stop } = await start({
      handlers: ['accounts'],
      dataSource,
      argon2: stronger,
    });
    await authenticator.authenticate(credentialOf('alice', 'Mellon'), context);
    await stop();
    const { passwordHash = '' } = (await new AccountStore(dataSource).find('alice')) ?? {};
    expect(passwordHash).toContain('t=2');
  });
});
