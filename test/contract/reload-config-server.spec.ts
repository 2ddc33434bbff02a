// What a reload of the config server changes at once beside its keys: environments and endpoints. No answer is of two sets of
// settings.
import { createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { KeyedConfigServer } from '../support/keyed-config-server.js';

let server: KeyedConfigServer;

beforeEach(async () => {
  server = await KeyedConfigServer.start();
});
afterEach(() => server.close());

describe('a reload changes at once', () => {
  const KEYS = () => ({ 'encrypt.key-files': server.keys.old.path });

  test('the overrides', async () => {
    const { headers } = await server.get('/old/default');
    await server.reload({ ...KEYS(), 'config-server.overrides': { k: 'stronger' } });
    expect(await server.served('old')).toEqual({ k: 'stronger' });
    const again = await server.get('/old/default', { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(200);
    await server.reload(KEYS());
    expect(await server.served('old')).toEqual({ k: 'old' });
  });

  test('whether values are decrypted', async () => {
    expect(await server.served('old')).toEqual({ k: 'old' });
    await server.reload({ ...KEYS(), 'config-server.encrypt.enabled': false });
    expect(await server.served('old')).toEqual({ k: `{cipher}${server.keys.old.cipher}` });
    await server.reload(KEYS());
    expect(await server.served('old')).toEqual({ k: 'old' });
  });

  test('whether there is a /decrypt', async () => {
    await server.reload({ ...KEYS(), 'config-server.decrypt.enabled': false });
    expect(await server.post('/decrypt', server.keys.old.cipher)).toMatchObject({
      status: 404,
      body: '{"description":"/decrypt is switched off","status":"NOT_FOUND"}',
    });
    await server.reload(KEYS());
    expect((await server.post('/decrypt', server.keys.old.cipher)).body).toBe('old');
  });

  test('the secret of the webhook, and whether there is one', async () => {
    const [first, second] = ['first secret of the webhook', 'second secret of the webhook'];
    const push = async (secret: string): Promise<number> => {
      const digest = createHmac('sha256', secret).update('{}').digest('hex');
      const headers = { 'x-hub-signature-256': `sha256=${digest}` };
      return (await http('POST', server.url, '/monitor', { headers, body: '{}' })).status;
    };
    expect([await push(first), (await server.get('/monitor')).status]).toEqual([404, 404]);
    await server.reload({ ...KEYS(), 'config-server.git.webhook-secret': first });
    expect([await push(first), await push(second), (await server.get('/monitor')).status]).toEqual([
      200, 403, 405,
    ]);
    await server.reload({ ...KEYS(), 'config-server.git.webhook-secret': second });
    expect([await push(first), await push(second)]).toEqual([403, 200]);
    const token = { 'x-gitlab-token': 'a token of the webhook' };
    await server.reload({ ...KEYS(), 'config-server.git.webhook-token': 'a token of the webhook' });
    const gitlab = await http('POST', server.url, '/monitor', { headers: token, body: '{}' });
    expect([gitlab.status, await push(second)]).toEqual([200, 403]);
    await server.reload(KEYS());
    expect(await push(second)).toBe(404);
  });

  test('where properties are, but no port, which needs a restart', async () => {
    await mkdir(join(server.folder, 'elsewhere'));
    const elsewhere = {
      ...KEYS(),
      'config-server.native.location': join(server.folder, 'elsewhere'),
      'config-server.port': 1234,
    };
    expect(await server.reload(elsewhere)).toEqual({
      changed: ['config-server.native.location', 'config-server.port'],
      restart: ['config-server.port'],
    });
    expect((await server.get('/old/default')).body).toContain('"propertySources":[]');
  });
});

test('no answer is of two sets of settings, and none fails, while one takes the place of the other', async () => {
  const sets = {
    old: { k: 'old', invalid: 'old' },
    new: { k: undefined, invalid: '<n/a>' },
  };
  const seen = new Set<unknown>();
  const over = new AbortController();
  const ask = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { status, body } = await server.get('/old-default.json');
      const { set, k, invalid } = JSON.parse(body) as {
        set: keyof typeof sets;
        k?: string;
        invalid?: { k?: string };
      };
      seen.add(set);
      expect([status, { k, invalid: k ?? invalid?.k }]).toEqual([200, sets[set]]);
    }
  };
  const settings = (set: keyof typeof sets) => ({
    'encrypt.key-files': server.keys[set].path,
    'config-server.overrides': { set },
  });
  await server.reload(settings('old'));
  const asking = Promise.all([ask(), ask()]);
  for (let turn = 0; turn < 20; turn += 1) {
    await server.reload(settings(turn % 2 === 0 ? 'new' : 'old'));
  }
  over.abort();
  await asking;
  expect(seen).toEqual(new Set(['old', 'new']));
});
