// The requests of logins by Kubernetes and by certificate, to a fake Vault: the test build of Vault has neither method.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { TestAuthority } from '../../../test/support/pki/test-authority.js';
import { LeasedToken } from './leased-token.js';
import { certificateLogin } from './logins.js';
import { openVault, type VaultAccess, VaultClient } from './vault-client.js';
import type { SettingsFile } from './settings-file.js';

interface ReceivedRequest {
  readonly url: string | undefined;
  readonly body: string;
  /** Of the client certificate. */
  readonly subject: string | undefined;
  readonly token: unknown;
}

let folder: string;
let server: Server;
let authority: TestAuthority;
let received: ReceivedRequest[];
/** Whether the next read is denied, as for a revoked token. */
let isRevoked: boolean;

const file = (name: string): SettingsFile => ({
  setting: `test.${name}`,
  path: join(folder, name),
});
const write = (name: string, content: string) => writeFile(join(folder, name), content);
const receivedAt = (url: string): ReceivedRequest[] => received.filter((each) => each.url === url);

async function issue(subject: string): Promise<void> {
  const { cert, key } = await authority.issue(subject);
  await Promise.all([write('client.pem', cert), write('client.key', key)]);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url, headers, socket } = request;
  const subject = (socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
  const token = headers['x-vault-token'];
  received.push({ url, body: await text(request), subject: subject?.CN, token });
  const isLogin = url?.endsWith('/login') === true;
  const logins = received.filter((each) => each.url?.endsWith('/login')).length;
  const auth = { client_token: `token ${logins}`, lease_duration: 3600, renewable: true };
  const isDenied = !isLogin && isRevoked;
  if (isDenied) isRevoked = false;
  const content = isLogin ? { auth } : { data: { a: 'b' } };
  response.writeHead(isDenied ? 403 : 200).end(JSON.stringify(isDenied ? { errors: [] } : content));
}

beforeAll(async () => {
  folder = await makeFolder();
  authority = await TestAuthority.create();
  await write('ca.pem', authority.cert);
  await write('jwt', 'first.jwt\n');
  await issue('CN=first');
  const tls = { ...(await authority.issue('CN=vault')), ca: authority.cert, requestCert: true };
  server = createServer({ ...tls, rejectUnauthorized: false }, (request, response) => {
    void answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await removeFolder(folder);
});
beforeEach(() => {
  [received, isRevoked] = [[], false];
});

const kubernetes = () => ({ role: 'sso', tokenFile: file('jwt'), mount: 'k8s/eu' });
const certificate = () => ({
  certificateFile: file('client.pem'),
  keyFile: file('client.key'),
  role: '',
  mount: 'cert',
});

const address = () => ({
  uri: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
  namespace: '',
  timeout: 5_000,
  caFile: file('ca.pem'),
});

async function open(credentials: Partial<VaultAccess>) {
  const client = await openVault({ ...address(), ...credentials }, {});
  const read = () => client.keyValues({ mount: 'secret', version: 1 }).read('orders');
  return { read, close: () => client.close() };
}

describe('a login by Kubernetes', () => {
  test('presents role and token of the service account, and gives a token', async () => {
    const { read, close } = await open({ kubernetes: kubernetes() });
    expect(await read()).toEqual({ a: 'b' });
    const [login, secret] = received;
    expect(login?.url).toBe('/v1/auth/k8s/eu/login');
    expect(JSON.parse(login?.body ?? '')).toEqual({ role: 'sso', jwt: 'first.jwt' });
    expect(login?.token).toBeUndefined();
    expect(secret).toMatchObject({ url: '/v1/secret/orders', token: 'token 1' });
    close();
  });

  test('names the file of the token where it cannot be read, and asks nothing', async () => {
    const { read, close } = await open({
      kubernetes: { ...kubernetes(), tokenFile: file('nosuch') },
    });
    await expect(read()).rejects.toMatchObject({
      code: 'VAULT_FILE_UNREADABLE',
      message: `test.nosuch: ${join(folder, 'nosuch')} does not exist`,
    });
    expect(received).toEqual([]);
    close();
  });
});

describe('a login by certificate', () => {
  test.each([
    ['', {}],
    ['web', { name: 'web' }],
  ])('shows the certificate, and asks for the role "%s"', async (role, body) => {
    const { read, close } = await open({ certificate: { ...certificate(), role } });
    expect(await read()).toEqual({ a: 'b' });
    expect(received.map(({ subject }) => subject)).toEqual(['first', 'first']);
    expect(JSON.parse(receivedAt('/v1/auth/cert/login')[0]?.body ?? '')).toEqual(body);
    close();
  });

  test('presents a replaced certificate', async () => {
    let time = 0;
    const tokens = new LeasedToken(certificateLogin(certificate()), () => time);
    const client = await VaultClient.open({ ...address(), tokens });
    await client.get('secret/orders');
    await issue('CN=second');
    [time, isRevoked] = [10_000, true];
    await client.get('secret/orders');
    expect(receivedAt('/v1/auth/cert/login').map(({ subject }) => subject)).toEqual([
      'first',
      'second',
    ]);
    expect(received.at(-1)).toMatchObject({ url: '/v1/secret/orders', subject: 'second' });
    client.close();
  });

  test.each<[string, string, string]>([
    ['client.pem', 'no certificate', 'ERR_OSSL_PEM_NO_START_LINE'],
    ['client.key', 'no key', 'ERR_OSSL_UNSUPPORTED'],
  ])('names %s where it is no such thing', async (name, content, reason) => {
    await issue('CN=first');
    await write(name, content);
    const { read, close } = await open({ certificate: certificate() });
    await expect(read()).rejects.toMatchObject({
      message: `test.${name}: cannot read ${join(folder, name)} (${reason})`,
    });
    close();
  });

  test('is refused before it begins with the key of another certificate', async () => {
    await issue('CN=first');
    await write('client.key', (await authority.issue('CN=other')).key);
    const { read, close } = await open({ certificate: certificate() });
    await expect(read()).rejects.toMatchObject({
      message: expect.stringContaining('it holds another key than that of the certificate'),
    });
    expect(received).toEqual([]);
    close();
  });
});

test('a token from a file and one that is given carry no certificate', async () => {
  const { read, close } = await open({ tokenFile: file('jwt') });
  expect(await read()).toEqual({ a: 'b' });
  expect(received).toMatchObject([{ subject: undefined, token: 'first.jwt' }]);
  close();
});
