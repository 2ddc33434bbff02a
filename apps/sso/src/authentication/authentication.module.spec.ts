import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { AccountStore, UserAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { loadSettings, SettingsModule } from '@tessera/config';
import { ProcessPartsModule } from '@tessera/server';
import { createTestDatabase } from '../../../../test/support/database.js';
import { NAMESPACES } from '../settings/namespaces.js';
import { SsoSettings } from '../settings/sso-settings.js';
import { credentialOf } from './authentication-handler.conformance.js';
import { AuthenticationModule } from './authentication.module.js';
import { Authenticator } from './authenticator.js';
import { FIXED_PARTS } from '../../../../test/support/process-parts.js';

const context = { clientAddress: '192.0.2.7', entryPoint: 'rest' } as const;
const argon2 = { memory: 8, iterations: 1, parallelism: 1 };
const ARGON2 = Object.entries(argon2).map(
  ([name, value]) => `--sso.authentication.accounts.argon2.${name}=${value}`,
);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  const passwordHash = await new PasswordHashing(argon2).hash('Mellon');
  await AccountStore.of(database.dataSource).add({ name: 'alice', passwordHash });
});
afterAll(() => database.drop());

async function start(...argv: readonly string[]) {
  const { settings } = await loadSettings(SsoSettings, {
    application: 'sso',
    env: {},
    argv: [`--database.url=${database.url}`, ...ARGON2, ...argv],
  });
  const compiled = await Test.createTestingModule({
    imports: [
      SettingsModule.forRoot(settings, NAMESPACES),
      ProcessPartsModule.forRoot(FIXED_PARTS),
      AuthenticationModule,
    ],
  }).compile();
  await compiled.init();
  return { authenticator: compiled.get(Authenticator), stop: () => compiled.close() };
}

describe('the handlers of passwords', () => {
  test.each([
    ['static,accounts', 'static'],
    ['accounts,static', 'accounts'],
  ])('are tried in the order of the setting: %s', async (handlers, ofAlice) => {
    const { authenticator, stop } = await start(
      `--sso.authentication.handlers=${handlers}`,
      '--sso.authentication.static.users=alice::Mellon,bob::Mellon',
    );
    const handlerOf = async (name: string) =>
      (await authenticator.authenticate(credentialOf(name, 'Mellon'), context))?.handler;
    expect([await handlerOf('alice'), await handlerOf('bob')]).toEqual([ofAlice, 'static']);
    await stop();
  });

  test('write renewed hashes before they stop', async () => {
    const { authenticator, stop } = await start(
      '--sso.authentication.accounts.argon2.iterations=2',
    );
    await authenticator.authenticate(credentialOf('alice', 'Mellon'), context);
    await stop();
    const { passwordHash = '' } = (await AccountStore.of(database.dataSource).find('alice')) ?? {};
    expect(passwordHash).toContain('t=2');
  });
});
