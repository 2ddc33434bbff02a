// Reloads of the config server: keys and everything else change at once, nothing changes with a refused one, and no answer is
// of two sets of settings.
import { createHmac } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { KeyedConfigServer, TEXT, UNREADABLE } from '../support/keyed-config-server.js';

let server: KeyedConfigServer;
let keys: KeyedConfigServer['keys'];

beforeEach(async () => {
  server = await KeyedConfigServer.start();
  ({ keys } = server);
});
afterEach(() => server.close());

/** Whose key `/encrypt` writes with. */
async function writer(): Promise<string | undefined> {
  const kid = (await server.post('/encrypt', 'x')).body.split('.')[1];
  return (['old', 'new'] as const).find((name) => keys[name].cipher.split('.')[1] === kid);
}

const files = (...names: readonly (keyof typeof keys)[]) => ({
  'encrypt.key-files': names.map((name) => keys[name].path).join(),
});

describe('a refused reload changes nothing', () => {
  test.each<[string, (path: string) => Promise<unknown>, string]>([
    ['is gone', (path) => rm(path), 'does not exist'],
    ['is garbage', (path) => writeFile(path, 'garbage'), 'must hold one line'],
    ['is open to others', (path) => chmod(path, 0o644), 'lets others at it'],
    ['is a directory', (path) => rm(path).then(() => mkdir(path)), 'is no regular file'],
  ])('where a key file %s, be it a current one or another', async (_rule, spoil, message) => {
    await Promise.all([spoil(keys.old.path), spoil(keys.new.path)]);
    const [old, other] = (['old', 'new'] as const).map((name) =>
      expect.stringMatching(`^encrypt.key-files: ${keys[name].path} .*${message}`),
    );
    expect(await server.reload()).toEqual({ problems: [old] });
    const settings = {
      'config-server.decrypt.enabled': false,
      'config-server.overrides': { k: 'x' },
    };
    expect(await server.reload({ ...settings, ...files('new', 'old') })).toEqual({
      problems: [other, old],
    });
    expect((await server.post('/decrypt', keys.old.cipher)).body).toBe('old');
    expect([await writer(), await server.served('old')]).toEqual(['old', { k: 'old' }]);
  });

  test('where keys are right and another setting is not, and tells no key', async () => {
    const clients = { 'config-server.clients': { orders: { applications: '*' } } };
    expect(await server.reload({ ...files('new'), ...clients })).toEqual({
      problems: [expect.stringContaining('config-server.clients')],
    });
    expect([await writer(), await server.served('new')]).toEqual(['old', UNREADABLE]);
    await server.reload({ 'encrypt.key': '-----BEGIN PRIVATE KEY----- geheim' });
    expect(server.lines.join('')).toContain('settings were not reloaded');
    expect(server.lines.join('')).not.toContain('geheim');
  });
});

describe('another key', () => {
  test('counts at once, for what is encrypted, decrypted and served', async () => {
    const { headers } = await server.get('/old/default');
    expect(await server.reload(files('new'))).toEqual({
      changed: ['encrypt.key-files'],
      restart: [],
    });
    expect(await writer()).toBe('new');
    expect((await server.post('/decrypt', keys.new.cipher)).body).toBe('new');
    expect((await server.post('/decrypt', keys.old.cipher)).status).toBe(400);
    expect([await server.served('old'), await server.served('new')]).toEqual([
      UNREADABLE,
      { k: 'new' },
    ]);
    const etag = String(headers.etag);
    expect((await server.get('/old/default', { 'if-none-match': etag })).status).toBe(200);
    await server.reload(files('new', 'old'));
    expect([await writer(), await server.served('old'), await server.served('new')]).toEqual([
      'new',
      { k: 'old' },
      { k: 'new' },
    ]);
    await server.reload({});
    expect((await server.get('/encrypt/status')).status).toBe(404);
  });

  test('in the place of a file counts, though no setting has changed', async () => {
    await rename(keys.new.path, keys.old.path);
    const outcome = { changed: [], restart: [], files: [keys.old.path] };
    expect(await server.reload()).toEqual(outcome);
    expect([await writer(), await server.served('new')]).toEqual(['new', { k: 'new' }]);
  });

  test('changes nothing for a request under way', async () => {
    const answer = Promise.withResolvers<string>();
    const url = new URL('/encrypt', server.url);
    const request = send(url, { method: 'POST', headers: TEXT }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => answer.resolve(body));
    });
    request.on('error', answer.reject);
    request.write('begun');
    await server.get('/encrypt/status');
    await server.reload(files('new'));
    request.end();
    expect((await answer.promise).split('.')[1]).toBe(keys.old.cipher.split('.')[1]);
    expect(await writer()).toBe('new');
  });

  test('is no generated one: that stays', async () => {
    const before = process.cwd();
    process.chdir(server.folder);
    try {
      await server.reload({ 'encrypt.generate': true });
      const { body: cipher } = await server.post('/encrypt', 'kept');
      await server.reload({ 'encrypt.generate': true, 'config-server.overrides': { k: 'v' } });
      expect((await server.post('/decrypt', cipher)).body).toBe('kept');
    } finally {
      process.chdir(before);
    }
  });
});

test('everything else changes at once, in both directions', async () => {
  const secret = 'secret of the webhook';
  const digest = createHmac('sha256', secret).update('{}').digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${digest}` };
  const observed = async () => [
    await server.served('old'),
    (await server.post('/decrypt', keys.old.cipher)).status,
    (await http('POST', server.url, '/monitor', { headers, body: '{}' })).status,
  ];
  const before = [{ k: 'old' }, 200, 404];
  expect(await observed()).toEqual(before);
  expect(
    await server.reload({
      ...files('old'),
      'config-server.overrides': { k: 'stronger' },
      'config-server.decrypt.enabled': false,
      'config-server.git.webhook-secret': secret,
      'config-server.port': 1234,
    }),
  ).toMatchObject({ restart: ['config-server.port'] });
  expect(await observed()).toEqual([{ k: 'stronger' }, 404, 200]);
  await server.reload(files('old'));
  expect(await observed()).toEqual(before);
});

test('no answer is of two sets of settings, and none fails, while one takes the place of the other', async () => {
  const sets = { old: 'old', new: '<n/a>' };
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
      expect([status, k ?? invalid?.k]).toEqual([200, sets[set]]);
    }
  };
  const settings = (set: keyof typeof sets) => ({
    ...files(set),
    'config-server.overrides': { set },
  });
  await server.reload(settings('old'));
  const asking = Promise.all([ask(), ask()]);
  for (let turn = 0; turn < 10 || seen.size < 2; turn += 1) {
    await server.reload(settings(turn % 2 === 0 ? 'new' : 'old'));
  }
  over.abort();
  await asking;
  expect(seen).toEqual(new Set(['old', 'new']));
});
