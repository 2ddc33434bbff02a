// Clients of the config server see what is theirs, whichever way they ask for what is not.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';

/** In every file that is not of application `orders`. */
const FOREIGN = 'foreign';

const files = {
  'application.yml': 'k: shared',
  'orders.yml': 'k: own',
  'orders-prod.yml': 'k: own in prod',
  'orders-eu.yml': `k: ${FOREIGN}`,
  'orders-eu-prod.yml': `k: ${FOREIGN}`,
  'billing.yml': `k: ${FOREIGN}`,
  'billing-prod.yml': `k: ${FOREIGN}`,
  'billing/application.yml': `k: ${FOREIGN}`,
};

/** Each proves itself with its name for a token. */
const clients = {
  orders: { applications: 'orders', permissions: 'read,encrypt,decrypt' },
  'orders-eu': { applications: 'orders-eu' },
  billing: { applications: 'billing' },
  filer: { applications: 'orders', permissions: 'files' },
  ops: { applications: '*' },
};

let folder: string;
let server: ConfigServer;

beforeAll(async () => {
  folder = await makeFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), `${text}\n`);
  }
  const known = Object.entries(clients).map(([name, client]) => [
    name,
    { 'token-hash': sha256(name), ...client },
  ]);
  server = await startConfigServer([
    '--encrypt.key=foo',
    `--config-server.native.location=${folder}`,
    `--config-server.clients=${JSON.stringify(Object.fromEntries(known))}`,
  ]);
});

afterAll(async () => {
  await server.close();
  await removeFolder(folder);
});

function call(client: keyof typeof clients, method: string, path: string): Promise<Reply> {
  const headers = { authorization: `Bearer ${client}`, 'if-none-match': '*' };
  return http(method, server.url, path, { headers, ...(method === 'POST' && { body: 'x' }) });
}

describe('a client of one application is refused', () => {
  test.each([
    ['another one', 'GET', '/billing/prod'],
    ['another one, of which it would learn the length', 'HEAD', '/billing/prod'],
    ['another one, by a method there is none for', 'PUT', '/billing/prod'],
    ['another one in capitals', 'GET', '/ORDERS/prod'],
    ['another one beside its own', 'GET', '/orders,billing/prod'],
    ['another one behind an encoded comma', 'GET', '/orders%2Cbilling/prod'],
    ['another one whose letters are encoded', 'GET', '/%62illing/prod'],
    ['another one in a directory of its own name', 'GET', '/orders(_)billing/prod'],
    ['another one, the slash encoded', 'GET', '/orders%28_%29billing/prod'],
    ['another one, flattened', 'GET', '/billing-prod.yml'],
    ['another one, flattened, behind its own name for a label', 'GET', '/orders/billing-prod.yml'],
    ['another one at a label', 'GET', '/billing/prod/main'],
    ['what all share, by its name', 'GET', '/application/prod'],
    ['what all share, by its name, flattened', 'GET', '/application-prod.properties'],
    ['another one that a profile spells', 'GET', '/orders/eu'],
    ['another one that a profile spells in capitals', 'GET', '/orders/EU'],
    ['another one that one of several profiles spells', 'GET', '/orders/prod,eu'],
    ['another one and its profile that a profile spells', 'GET', '/orders/eu-prod'],
    ['another one that a profile spells, at a label', 'GET', '/orders/eu/main'],
    ['another one that a profile spells, flattened', 'GET', '/orders-eu.json'],
    ['another one that a profile spells, as a file', 'GET', '/orders/eu/main/k.txt'],
    ['a file of another one', 'GET', '/orders/prod/main/billing-prod.yml'],
    ['a file of another one, without a label', 'GET', '/orders/prod/billing.yml?useDefaultLabel'],
    ['a file of another one, by its length', 'HEAD', '/orders/prod/main/billing.yml'],
    ['a file that is not there', 'GET', '/orders/prod/main/nosuch.yml'],
    ['to encrypt for another one', 'POST', '/encrypt/billing/prod'],
    ['to encrypt for another one, in capitals', 'POST', '/ENCRYPT/billing/prod'],
    ['to encrypt for another one beside its own', 'POST', '/encrypt/orders,billing/prod'],
    ['to encrypt for another one that a profile spells', 'POST', '/encrypt/orders/eu'],
    ['to decrypt for another one', 'POST', '/decrypt/billing/prod'],
    ['the public key for another one', 'GET', '/key/billing/prod'],
    ['the public key for another one, by its headers', 'HEAD', '/key/billing/prod'],
  ])('%s', async (_rule, method, path) => {
    const { status, headers, body } = await call('orders', method, path);
    expect(status).toBe(403);
    expect(body).not.toContain(FOREIGN);
    expect(headers.etag).toBeUndefined();
  });

  test.each([
    ['an empty name before another one', '//billing/prod', 404],
    ['a way out of its own', '/orders/../billing/prod', 400],
    ['a way out of its own, encoded', '/orders/prod/main/%2e%2e/billing.yml', 400],
    ['a slash encoded within a name', '/orders%2F..%2Fbilling/prod', 400],
    ['a parameter within a segment', '/orders;/../billing/prod', 400],
    ['no profile', '/encrypt/billing', 404],
  ])('%s', async (_rule, path, status) => {
    const reply = await call('orders', 'GET', path);
    expect(reply.status).toBe(status);
    expect(reply.body).not.toContain(FOREIGN);
  });

  test.each([
    ['/orders/eu', 'with the name of an application it spells another'],
    ['/orders/prod/main/orders.yml', 'not read files, since they may be of other applications'],
    ['/billing/prod', 'not allowed that application'],
  ])('%s, with the reason', async (path, message) => {
    expect(JSON.parse((await call('orders', 'GET', path)).body)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['environments, with the permission for files alone', 'filer', '/orders/prod'],
    ['files for another application, with it', 'filer', '/billing/prod/main/billing.yml'],
    ['its own shorter name', 'orders-eu', '/orders/prod'],
    ['its own name, split at the last hyphen', 'orders-eu', '/orders-eu.yml'],
  ] as const)('%s', async (_rule, client, path) => {
    expect((await call(client, 'GET', path)).status).toBe(403);
  });
});

describe('a client gets', () => {
  const get = async (client: keyof typeof clients, path: string): Promise<string> => {
    const headers = { authorization: `Bearer ${client}` };
    const { status, body } = await http('GET', server.url, path, { headers });
    return `${status} ${body}`;
  };

  test.each([
    ['its application', 'orders', '/orders-prod.yml', 'own in prod'],
    ['its application whose name begins with another', 'orders-eu', '/orders-eu/prod', FOREIGN],
    ['all, where its applications are *', 'ops', '/orders/eu', FOREIGN],
    ['files, where its applications are *', 'ops', '/orders/prod/main/billing.yml', FOREIGN],
    ['files, where it may', 'filer', '/orders/prod/main/billing.yml', FOREIGN],
  ] as const)('%s', async (_rule, client, path, content) => {
    expect(await get(client, path)).toMatch(new RegExp(`^200 .*${content}`));
  });

  test('of no directory that it gives as a label', async () => {
    const body = await get('orders', '/orders/default/billing');
    expect(body).toMatch(/^200 .*"label":"billing".*own/);
    expect(body).not.toContain(FOREIGN);
  });
});
