// Token providers against a real Vault: a file, a given token, a login.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { describeWithVault, Vault } from '../../../test/support/vault.js';
import { LeasedToken } from './leased-token.js';
import { appRoleLogin, givenToken, type LogIn } from './logins.js';
import { tokenFile, type TokenProvider } from './tokens.js';
import { VaultClient } from './vault-client.js';

const HOUR = 3_600_000;
const POLICY = 'path "secret/data/orders" { capabilities = ["read"] }';

describeWithVault('tokens', () => {
  let vault: Vault;
  let folder: string;
  let file: string;
  let role: { readonly roleId: string; readonly secretId: string };

  beforeAll(async () => {
    vault = await Vault.start();
    folder = await makeFolder();
    file = join(folder, 'token');
    await vault.put('orders', { a: 'b' });
    await vault.tokenFor('orders', POLICY);
    role = await vault.appRole('orders', { token_policies: 'orders', token_ttl: '1h' });
  });
  afterAll(async () => {
    await vault.stop();
    await removeFolder(folder);
  });

  async function readWith(tokens: TokenProvider, ...paths: readonly string[]): Promise<unknown[]> {
    const options = { uri: vault.url, tokens, namespace: '', timeout: 5_000 };
    const client = await VaultClient.open(options);
    const keyValues = client.keyValues({ mount: 'secret', version: 2 });
    try {
      return await Promise.all(paths.map((path) => keyValues.read(path)));
    } finally {
      client.close();
    }
  }

  /** Logs in by AppRole, counts logins, and has a clock that tests set. */
  class CountedLogin extends LeasedToken {
    logins = 0;
    time = 0;
    constructor(secretId = role.secretId) {
      const appRole = { roleId: role.roleId, revealSecretId: () => secretId, mount: 'approle' };
      const logIn: LogIn = (calls) => {
        this.logins += 1;
        return appRoleLogin(appRole)(calls);
      };
      super(logIn, () => this.time);
    }
  }

  test.each([
    ['is empty', ' \n'],
    ['holds two lines', 'hvs.one\nhvs.two'],
    ['holds what no header may', 'hvs.ö'],
  ])('of a file that %s are none, and it is named without being quoted', async (_what, text) => {
    await writeFile(file, text);
    const reading = readWith(tokenFile({ setting: 'test.token-file', path: file }), 'orders');
    await expect(reading).rejects.toMatchObject({
      code: 'VAULT_FILE_UNREADABLE',
      message: `test.token-file: cannot read ${file} (it holds no token)`,
    });
  });

  test('of a file that is not there are none', async () => {
    const path = join(folder, 'nosuch');
    const reading = readWith(tokenFile({ setting: 'test.token-file', path }), 'orders');
    await expect(reading).rejects.toMatchObject({
      message: `test.token-file: ${path} does not exist`,
    });
  });

  test('of a file are read again each time', async () => {
    const tokens = tokenFile({ setting: 'test.token-file', path: file });
    await writeFile(file, 'hvs.unknown');
    await expect(readWith(tokens, 'orders')).rejects.toMatchObject({ code: 'VAULT_REFUSED' });
    await writeFile(file, `${Vault.rootToken}\n`);
    expect(await readWith(tokens, 'orders')).toEqual([{ a: 'b' }]);
  });

  test('that are given are taken although they may not ask how long they last', async () => {
    const rules = `${POLICY} path "auth/token/lookup-self" { capabilities = ["deny"] }`;
    const token = await vault.tokenFor('silent', rules);
    const tokens = new LeasedToken(givenToken(() => token));
    expect(await readWith(tokens, 'orders')).toEqual([{ a: 'b' }]);
  });

  test('by AppRole are refused with the wrong secret id', async () => {
    await expect(readWith(new CountedLogin('wrong'), 'orders')).rejects.toMatchObject({
      code: 'VAULT_REFUSED',
      message: 'Vault refuses auth/approle/login.',
      cause: { message: 'status 400: invalid secret id' },
    });
  });

  test('by AppRole need one login for concurrent requests', async () => {
    const tokens = new CountedLogin();
    expect(await readWith(tokens, 'orders', 'orders', 'orders')).toHaveLength(3);
    expect(tokens.logins).toBe(1);
  });

  test('by AppRole are renewed without a new login', async () => {
    const tokens = new CountedLogin();
    for (const part of [0, 0.67, 1.34, 2.01]) {
      tokens.time = part * HOUR;
      await readWith(tokens, 'orders');
    }
    expect(tokens.logins).toBe(1);
  });

  test('by AppRole are replaced when they have expired', async () => {
    const tokens = new CountedLogin();
    await readWith(tokens, 'orders');
    tokens.time = 1.1 * HOUR;
    await readWith(tokens, 'orders');
    expect(tokens.logins).toBe(2);
  });

  test('by AppRole are replaced when they were revoked', async () => {
    const tokens = new CountedLogin();
    await readWith(tokens, 'orders');
    await vault.send('PUT', 'sys/leases/revoke-prefix/auth/approle/login');
    tokens.time = 6_000;
    expect(await readWith(tokens, 'orders')).toEqual([{ a: 'b' }]);
    expect(tokens.logins).toBe(2);
  });

  test('by AppRole that may not read a path cost no login for each try', async () => {
    const tokens = new CountedLogin();
    for (let count = 0; count < 3; count += 1) {
      await expect(readWith(tokens, 'forbidden')).rejects.toMatchObject({ code: 'VAULT_REFUSED' });
    }
    expect(tokens.logins).toBe(1);
  });
});
