// A reload changes the keys of the config server, for all that is encrypted, decrypted and served. If they or another
// setting are invalid, the old keys stay.
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Reply } from '../support/http.js';
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

describe('a reload is refused as a whole', () => {
  const refused: [string, (path: string) => Promise<unknown>, string][] = [
    ['where a key file is gone', (path) => rm(path), 'does not exist'],
    ['where a key file is garbage', (path) => writeFile(path, 'garbage'), 'must hold one line'],
    ['where a key file is open to others', (path) => chmod(path, 0o644), 'lets others at it'],
    [
      'where a key file is a directory',
      (path) => rm(path).then(() => mkdir(path)),
      'is no regular file',
    ],
  ];

  test.each(refused)('%s, whose setting is the same', async (_rule, spoil, message) => {
    expect([await writer(), await server.served('old')]).toEqual(['old', { k: 'old' }]);
    await spoil(keys.old.path);
    const problem = `^encrypt.key-files: ${keys.old.path} .*${message}`;
    expect(await server.reload()).toEqual({ problems: [expect.stringMatching(problem)] });
    expect([await writer(), await server.served('old')]).toEqual(['old', { k: 'old' }]);
  });

  test.each(refused)('%s, which is new, and nothing else counts', async (_rule, spoil, message) => {
    await spoil(keys.new.path);
    const outcome = await server.reload({
      'encrypt.key-files': `${keys.new.path},${keys.old.path}`,
      'config-server.decrypt.enabled': false,
      'config-server.overrides': { k: 'stronger' },
    });
    const problem = `^encrypt.key-files: ${keys.new.path} .*${message}`;
    expect(outcome).toEqual({ problems: [expect.stringMatching(problem)] });
    expect((await server.post('/decrypt', keys.old.cipher)).body).toBe('old');
    expect([await writer(), await server.served('old')]).toEqual(['old', { k: 'old' }]);
  });

  test('where several keys are unusable, with a problem for each', async () => {
    await Promise.all([rm(keys.old.path), writeFile(keys.new.path, 'garbage')]);
    const outcome = await server.reload({
      'encrypt.key-files': `${keys.old.path},${keys.new.path}`,
    });
    expect(outcome).toEqual({
      problems: [
        expect.stringMatching(`^encrypt.key-files: ${keys.old.path} `),
        expect.stringMatching(`^encrypt.key-files: ${keys.new.path} `),
      ],
    });
  });

  test('where the keys are right and another setting is not', async () => {
    const outcome = await server.reload({
      'encrypt.key-files': keys.new.path,
      'config-server.clients': { orders: { applications: '*' } },
    });
    expect(outcome).toEqual({ problems: [expect.stringContaining('config-server.clients')] });
    expect([await writer(), await server.served('old'), await server.served('new')]).toEqual([
      'old',
      { k: 'old' },
      UNREADABLE,
    ]);
  });
});

describe('another key', () => {
  test('counts at once, for what is encrypted, decrypted and served', async () => {
    const before = await server.get('/old/default');
    expect(await server.reload({ 'encrypt.key-files': keys.new.path })).toEqual({
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
    const etag = String(before.headers.etag);
    const after = await server.get('/old/default', { 'if-none-match': etag });
    expect([after.status, after.body]).toEqual([200, (await server.get('/old/default')).body]);
    expect(after.headers.etag).not.toBe(etag);
  });

  test('beside the old one writes, and both read', async () => {
    await server.reload({ 'encrypt.key-files': `${keys.new.path},${keys.old.path}` });
    expect(await writer()).toBe('new');
    expect([await server.served('old'), await server.served('new')]).toEqual([
      { k: 'old' },
      { k: 'new' },
    ]);
  });

  test('in the place of a file counts, though no setting has changed', async () => {
    expect(await server.served('new')).toEqual(UNREADABLE);
    await rename(keys.new.path, keys.old.path);
    const files = [keys.old.path];
    expect(await server.reload()).toEqual({ changed: [], restart: [], files });
    expect(await writer()).toBe('new');
    expect([await server.served('old'), await server.served('new')]).toEqual([
      UNREADABLE,
      { k: 'new' },
    ]);
  });

  test('counts in every form, and in files', async () => {
    const file = join(server.folder, 'repo', 'secret.txt');
    await writeFile(file, `{cipher}${keys.old.cipher}`);
    const flat = ['/old-default.yml', '/old-default.properties', '/old-default.json'];
    const forms = [...flat, '/old/default', '/old/default/main/secret.txt'];
    const all = async () => (await Promise.all(forms.map((path) => server.get(path)))).map(bodyOf);
    await server.reload({
      'encrypt.key-files': keys.old.path,
      'config-server.encrypt.plain-text-encrypt': true,
    });
    for (const body of await all()) expect(body).toMatch(/\bold"?\b/);
    await server.reload({
      'encrypt.key-files': keys.new.path,
      'config-server.encrypt.plain-text-encrypt': true,
    });
    for (const body of await all()) expect(body).toContain('<n/a>');
  });

  test('changes nothing for a request under way', async () => {
    const url = new URL('/encrypt', server.url);
    const answer = new Promise<string>((resolve, reject) => {
      const request = send(url, { method: 'POST', headers: TEXT }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => resolve(body));
      });
      request.on('error', reject);
      request.write('begun');
      void server
        .get('/encrypt/status')
        .then(() => server.reload({ 'encrypt.key-files': keys.new.path }))
        .then(() => request.end());
    });
    const kid = (await answer).split('.')[1];
    expect(kid).toBe(keys.old.cipher.split('.')[1]);
    expect(await writer()).toBe('new');
  });

  test('may be the first, and the last may go', async () => {
    await server.reload({});
    const without =
      '{"description":"No key was installed for encryption service","status":"NO_KEY"}';
    expect(await server.get('/encrypt/status')).toMatchObject({ status: 404, body: without });
    expect(await server.served('old')).toEqual(UNREADABLE);
    await server.reload({ 'encrypt.key': 'a password' });
    expect(await server.get('/encrypt/status')).toMatchObject({
      status: 200,
      body: '{"status":"OK"}',
    });
  });

  test('that is of RSA is published, and warned of where it is short', async () => {
    const path = join(server.folder, 'rsa.pem');
    const put = async (modulusLength: number): Promise<Reply> => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
      await writeFile(path, pem, { mode: 0o600 });
      await server.reload({ 'encrypt.key-files': path });
      return server.get('/key');
    };
    const warning = 'this RSA key is too short for new values';
    const first = await put(2048);
    expect(first.body).toMatch(/^ssh-rsa /);
    expect(server.lines.join('')).not.toContain(warning);
    const second = await put(1024);
    expect(second.body).toMatch(/^ssh-rsa /);
    expect(second.body).not.toBe(first.body);
    expect(server.lines.join('')).toContain(warning);
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

test('no reload tells a key', async () => {
  await server.reload({ 'encrypt.key': 'a password', 'encrypt.format': 'nonsense' });
  await server.reload({ 'encrypt.key': '-----BEGIN PRIVATE KEY----- a password' });
  expect(server.lines.join('')).toContain('settings were not reloaded');
  expect(server.lines.join('')).not.toContain('a password');
});

function bodyOf({ body }: Reply): string {
  return body;
}
