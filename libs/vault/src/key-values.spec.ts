import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NumberLiteral } from '@tessera/property-sources';
import { describeWithVault, Vault } from '../../../test/support/vault.js';
import type { KeyValuesOptions } from './key-values.js';
import { LeasedToken } from './leased-token.js';
import { givenToken } from './logins.js';
import { VaultClient } from './vault-client.js';

const READ_ORDERS = 'path "secret/data/orders" { capabilities = ["read"] }';
const one = new NumberLiteral('1');

const openClient = (vault: Vault, token = Vault.rootToken) =>
  VaultClient.open({
    uri: vault.url,
    tokens: new LeasedToken(givenToken(() => token)),
    namespace: '',
    timeout: 5_000,
  });

describeWithVault('a secret', () => {
  describe.each([1, 2] as const)('in an engine of version %i', (version) => {
    let vault: Vault;
    let client: VaultClient;
    const read = (path: string, options?: Partial<KeyValuesOptions>) =>
      client.keyValues({ mount: 'secret', ...options }).read(path);

    beforeAll(async () => {
      vault = await Vault.start(version);
      client = await openClient(vault);
      await vault.put('orders', { a: 1, nested: { b: [true, null] } });
    });
    afterAll(async () => {
      client.close();
      await vault.stop();
    });

    test.each([
      ['that nobody has written', 'nobody'],
      ['of no name', ''],
      ['below no name', 'eu//orders'],
      ['of the folder above', 'eu/../orders'],
      ['of a name that is a dot', './orders'],
    ])('%s is not there', async (_what, path) => {
      expect(await read(path)).toBeUndefined();
    });

    test('that was deleted is not there', async () => {
      await vault.put('gone', { a: 1 });
      await vault.remove('gone');
      expect(await read('gone')).toBeUndefined();
    });

    test('is read whether the version is configured or detected', async () => {
      const data = { a: one, nested: { b: [true, null] } };
      expect(await read('orders')).toEqual(data);
      expect(await read('orders', { version })).toEqual(data);
    });

    test.each(['orders,prod', 'eu/orders', 'with blank', '100% ü?#&'])(
      'is read at %s',
      async (path) => {
        await vault.put(path.split('/').map(encodeURIComponent).join('/'), { here: path });
        expect(await read(path)).toEqual({ here: path });
      },
    );

    test('of an engine that does not exist is an error', async () => {
      await expect(read('orders', { mount: 'nosuch' })).rejects.toMatchObject({
        code: 'VAULT_REFUSED',
        message: 'Vault refuses sys/internal/ui/mounts/nosuch.',
      });
      await expect(read('orders', { mount: 'nosuch', version })).rejects.toMatchObject({
        code: 'VAULT_MOUNT_UNUSABLE',
        cause: { message: expect.stringContaining('no handler for route') },
      });
    });
  });
});

describeWithVault('numbers', () => {
  let vault: Vault;
  beforeAll(async () => {
    vault = await Vault.start(1);
  });
  afterAll(() => vault.stop());

  test('are as they were written, of any size', async () => {
    await vault.put('numbers', '{"big":12345678901234567890,"exact":1.10,"huge":1e400}');
    const client = await openClient(vault);
    expect(await client.keyValues({ mount: 'secret' }).read('numbers')).toEqual({
      big: new NumberLiteral('12345678901234567890'),
      exact: new NumberLiteral('1.10'),
      huge: new NumberLiteral('1e400'),
    });
    client.close();
  });
});

describeWithVault('Vault', () => {
  let vault: Vault;
  beforeAll(async () => {
    vault = await Vault.start();
    await vault.put('orders', { a: 1 });
  });
  afterAll(() => vault.stop());

  test.each<[string, () => string | Promise<string>, KeyValuesOptions]>([
    ['a token it does not know', () => 'unknown', { mount: 'secret', version: 2 }],
    ['a token that may not', () => vault.tokenFor('other', READ_ORDERS), { mount: 'secret' }],
  ])('refuses %s, and the path is named', async (_what, token, options) => {
    const client = await openClient(vault, await token());
    await expect(client.keyValues(options).read('secrets')).rejects.toMatchObject({
      code: 'VAULT_REFUSED',
      message: 'Vault refuses secret/data/secrets.',
      cause: { message: expect.stringContaining('permission denied') },
    });
    client.close();
  });

  test('lets a token in that may read this secret alone', async () => {
    const client = await openClient(vault, await vault.tokenFor('orders', READ_ORDERS));
    expect(await client.keyValues({ mount: 'secret' }).read('orders')).toEqual({ a: one });
    client.close();
  });

  test('reports an engine of another version than configured', async () => {
    const client = await openClient(vault);
    const keyValues = client.keyValues({ mount: 'secret', version: 1 });
    await expect(keyValues.read('orders')).rejects.toMatchObject({ code: 'VAULT_MOUNT_UNUSABLE' });
    client.close();
  });

  test('that is sealed is VAULT_SEALED, and is read again afterwards', async () => {
    const client = await openClient(vault);
    const keyValues = client.keyValues({ mount: 'secret' });
    await vault.seal();
    await expect(keyValues.read('orders')).rejects.toMatchObject({ code: 'VAULT_SEALED' });
    await vault.unseal();
    expect(await keyValues.read('orders')).toEqual({ a: one });
    client.close();
  });
});
