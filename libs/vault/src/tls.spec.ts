// The verification of Vault's certificate: nothing is sent to a server without a valid one.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { TestAuthority } from '../../../test/support/pki/test-authority.js';
import { describeWithVault, Vault } from '../../../test/support/vault.js';
import { LeasedToken } from './leased-token.js';
import { givenToken } from './logins.js';
import { VaultClient } from './vault-client.js';

describeWithVault('a certificate', () => {
  let vault: Vault;
  let folder: string;
  let front: Server;
  let receivedChunks = 0;

  beforeAll(async () => {
    vault = await Vault.start();
    await vault.put('orders', { a: 'b' });
    folder = await makeFolder();
    const [authority, other] = await Promise.all([
      TestAuthority.create(),
      TestAuthority.create('CN=Other CA'),
    ]);
    await writeFile(join(folder, 'ca.pem'), authority.cert);
    await writeFile(join(folder, 'other.pem'), other.cert);
    await writeFile(join(folder, 'none.pem'), 'no certificate');
    // A TLS proxy in front of Vault.
    front = createServer(await authority.issue('CN=vault'), (socket) => {
      const inner = connect(vault.port, '127.0.0.1');
      socket.on('data', () => (receivedChunks += 1)).on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
      socket.pipe(inner).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
  });
  afterAll(async () => {
    front.close();
    await vault.stop();
    await removeFolder(folder);
  });

  const uri = (): string => `https://127.0.0.1:${(front.address() as AddressInfo).port}`;

  async function readOver(ca?: string): Promise<unknown> {
    const client = await VaultClient.open({
      uri: uri(),
      tokens: new LeasedToken(givenToken(() => Vault.rootToken)),
      namespace: '',
      timeout: 5_000,
      caFile: ca === undefined ? undefined : { setting: 'test.ca-file', path: join(folder, ca) },
    });
    try {
      return await client.keyValues({ mount: 'secret' }).read('orders');
    } finally {
      client.close();
    }
  }

  test.each([
    ['no public CA has issued', undefined, {}],
    ['another CA has issued', 'other.pem', {}],
    ['VAULT_SKIP_VERIFY would accept', undefined, { VAULT_SKIP_VERIFY: 'true' }],
  ])('that %s is refused before anything is sent', async (_what, ca, environment) => {
    receivedChunks = 0;
    Object.assign(process.env, environment);
    try {
      await expect(readOver(ca)).rejects.toMatchObject({ code: 'VAULT_UNAVAILABLE' });
    } finally {
      for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name);
    }
    expect(receivedChunks).toBe(0);
  });

  test('that no public CA has issued is refused although NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    receivedChunks = 0;
    const library = JSON.stringify(join(import.meta.dirname, 'index.ts'));
    const program = `
      const { openVault } = await import(${library});
      const access = { uri: '${uri()}', namespace: '', timeout: 5_000 };
      const client = await openVault({ ...access, token: { reveal: () => 'x' } }, {});
      await client.get('x').catch(({ cause }) => console.log(cause.code));`;
    const hooks = join(import.meta.dirname, '../../../test/support/resolve-sources.ts');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--experimental-transform-types', `--import=${hooks}`, '--input-type=module', '-e', program],
      { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
    );
    expect(stdout).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE\n');
    expect(receivedChunks).toBe(0);
  });

  test('of the configured CA is accepted', async () => {
    expect(await readOver('ca.pem')).toEqual({ a: 'b' });
    expect(receivedChunks).toBeGreaterThan(0);
  });

  test.each([
    ['nosuch.pem', '<path> does not exist'],
    ['none.pem', 'cannot read <path> (it holds no certificate)'],
  ])('of a CA cannot be read from %s: the file is named', async (name, message) => {
    await expect(readOver(name)).rejects.toMatchObject({
      code: 'VAULT_FILE_UNREADABLE',
      message: `test.ca-file: ${message.replace('<path>', join(folder, name))}`,
    });
  });
});
