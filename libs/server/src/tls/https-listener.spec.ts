import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { connect as connectPlainly, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { TestAuthority, type Identity } from '../../../../test/support/pki/test-authority.js';
import { type CertificateRequest, issue } from '../../../../test/support/pki/test-certificate.js';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { http, type Call } from '../../../../test/support/http.js';
import { HttpsListener, peerCertificate } from './https-listener.js';
import type { TlsOptions } from './tls-settings.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
const SERVER_LIMITS = { headersTimeout: 1_000, connectionsCheckingInterval: 20 };

let folder: string;
let authority: TestAuthority;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = await makeFolder();
  authority = await TestAuthority.create();
  const { cert, key } = await authority.issue('CN=server');
  await writeFile(join(folder, 'cert'), cert);
  await writeFile(join(folder, 'key'), key);
  await writeFile(join(folder, 'ca'), authority.cert);
});

afterAll(() => removeFolder(folder));

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that answers with the subject of the client's certificate. */
async function listen(options: Partial<TlsOptions> = {}): Promise<void> {
  const named = (name: string) => ({ setting: name, path: join(folder, name) });
  const files = { certificate: named('cert'), key: named('key') };
  const listener = await HttpsListener.open({
    ...files,
    requestsClientCertificate: false,
    ...options,
  });
  server = listener.createServer(SERVER_LIMITS, (request, response) => {
    const der = peerCertificate(request);
    response.end(der === undefined ? 'nobody' : new X509Certificate(der).subject);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `https://localhost:${(server.address() as AddressInfo).port}`;
}

async function whoami(tls: Call['tls'] = {}): Promise<string> {
  return (await http('GET', base, '/', { tls: { ca: authority.cert, ...tls } })).body;
}

function open(options: ConnectionOptions = {}): TLSSocket {
  const { port } = server.address() as AddressInfo;
  return connect({ host: '127.0.0.1', port, ca: authority.cert, ...options });
}

describe('an HTTPS listener', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    await listen();
    expect(await whoami({ minVersion: version, maxVersion: version })).toBe('nobody');
  });

  test('refuses TLS 1.1', async () => {
    await listen();
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' } as const;
    // By default the client itself refuses.
    const socket = open({ ...old, ciphers: 'DEFAULT@SECLEVEL=0' });
    await expect(once(socket, 'secureConnect')).rejects.toThrow('protocol version');
  });

  test('refuses renegotiation', async () => {
    await listen({ requestsClientCertificate: true });
    const socket = open({ maxVersion: 'TLSv1.2' });
    await once(socket, 'secureConnect');
    const renegotiated = new Promise((_resolve, reject) => {
      socket.once('error', reject);
      socket.renegotiate({}, (error) => error && reject(error));
      socket.write(REQUEST);
    });
    await expect(renegotiated).rejects.toThrow('no renegotiation');
  });

  test('closes a connection that speaks plain HTTP, and goes on', async () => {
    await listen();
    const { port } = server.address() as AddressInfo;
    const socket = connectPlainly(port, '127.0.0.1');
    socket.write(REQUEST);
    expect(await text(socket)).not.toContain('HTTP/1.1 2');
    expect(await whoami()).toBe('nobody');
  });

  test('closes a connection whose handshake does not come to an end', async () => {
    await listen();
    const { port } = server.address() as AddressInfo;
    const silent = connectPlainly(port, '127.0.0.1');
    const hung = connectPlainly(port, '127.0.0.1');
    hung.write(Buffer.from('16030100', 'hex'));
    await Promise.all([once(silent.resume(), 'close'), once(hung.resume(), 'close')]);
  });

  test('closes a connection on which a request does not come to an end', async () => {
    await listen();
    const silent = open();
    const slow = open();
    slow.write('GET / HTTP/1.1\r\nHost:');
    expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /);
    await once(silent.resume(), 'close');
  });
});

/** The bytes that the server sends during a handshake; with TLS 1.2 nearly all of it is unencrypted. */
async function handshake(): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const sent: Buffer[] = [];
  const relay = createServer((inbound) => {
    const outbound = connectPlainly(port, '127.0.0.1');
    outbound.on('data', (chunk: Buffer) => sent.push(chunk));
    inbound.pipe(outbound).pipe(inbound);
    inbound.once('close', () => outbound.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const socket = open({ port: (relay.address() as AddressInfo).port, maxVersion: 'TLSv1.2' });
  await once(socket, 'secureConnect');
  socket.end();
  await once(socket.resume(), 'close');
  relay.close();
  return Buffer.concat(sent).toString('latin1');
}

async function openWith(cert: string, key: string): Promise<HttpsListener> {
  const named = (name: string) => ({ setting: name, path: join(folder, name) });
  await writeFile(named('other-cert').path, cert);
  await writeFile(named('other-key').path, key);
  const files = { certificate: named('other-cert'), key: named('other-key') };
  return HttpsListener.open({ ...files, requestsClientCertificate: false });
}

describe('the certificates of a server', () => {
  const SECONDS = 1_000;

  test('are listed with the expiry of each, expired ones too', async () => {
    const expires = new Date(Math.floor(Date.now() / SECONDS) * SECONDS - SECONDS);
    const { cert, key } = await authority.issue('O=Example, CN=old', expires);
    const { expiring } = await openWith(`${cert}${authority.cert}`, key);
    const path = join(folder, 'other-cert');
    expect(expiring).toEqual([
      { kind: 'tls', label: 'old', name: 'O=Example, CN=old', path, expires },
      expect.objectContaining({ label: 'Test CA', name: 'CN=Test CA', path }),
    ]);
  });

  test('are shown although they have expired', async () => {
    const { cert, key } = await authority.issue('CN=old', new Date(Date.now() - SECONDS));
    await openWith(cert, key);
    const named = (name: string) => ({ setting: name, path: join(folder, name) });
    await listen({ certificate: named('other-cert'), key: named('other-key') });
    await expect(whoami()).rejects.toThrow('certificate has expired');
  });

  test.each<[string, CertificateRequest['subject'], string]>([
    ['the common name', [{ O: ['Example'] }, { CN: ['a'] }], 'a'],
    ['control characters in it escaped', [{ CN: ['a\nCN=b'] }], 'a\\0ACN=b'],
    ['the first alternative name where there is none', [{ O: ['Example'] }], 'localhost'],
  ])('have a short name: %s', async (_rule, subject, label) => {
    const { cert, key } = await authority.issue(subject);
    expect((await openWith(cert, key)).expiring).toMatchObject([{ label }]);
  });

  test('have their serial number for a name where they have no other', async () => {
    const { pem, keyPem } = await issue({ subject: [], serialNumber: '7a', extensions: [] });
    expect((await openWith(pem, keyPem)).expiring).toMatchObject([{ label: '7A', name: '' }]);
  });
});

describe('the certificate of a client', () => {
  const subject = 'CN=alice';
  let alice: Identity;

  beforeAll(async () => {
    alice = await authority.issue(subject);
  });

  test('is not requested by default', async () => {
    await listen();
    expect(await whoami(alice)).toBe('nobody');
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is known where requested, over %s',
    async (version) => {
      await listen({ requestsClientCertificate: true });
      const only = { minVersion: version, maxVersion: version };
      expect(await whoami(only)).toBe('nobody');
      expect(await whoami({ ...only, ...alice })).toBe(subject);
    },
  );

  test('is known from any authority, even if expired', async () => {
    const other = await TestAuthority.create('CN=Another CA');
    const clientAuthorities = { setting: 'ca', path: join(folder, 'ca') };
    await listen({ requestsClientCertificate: true, clientAuthorities });
    expect(await whoami(await other.issue(subject))).toBe(subject);
    expect(await whoami(await authority.issue(subject, new Date(Date.now() - 1_000)))).toBe(
      subject,
    );
  });

  test('may be chosen by the names of authorities, which are sent where there are any', async () => {
    const { cert } = await TestAuthority.create('CN=Offered CA');
    await writeFile(join(folder, 'offered'), cert);
    const offered = { setting: 'ca', path: join(folder, 'offered') };
    await listen({ requestsClientCertificate: true, clientAuthorities: offered });
    expect(await handshake()).toContain('Offered CA');
    server.close();
    await listen({ requestsClientCertificate: true });
    expect(await handshake()).not.toContain('Offered CA');
  });

  test('is known for every request of its connection', async () => {
    await listen({ requestsClientCertificate: true });
    const socket = open(alice);
    for (let request = 0; request < 3; request += 1) {
      socket.write(REQUEST);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toContain(subject);
    }
    socket.destroy();
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is shown again on every connection: no session is resumed, over %s',
    async (version) => {
      await listen({ requestsClientCertificate: true });
      const only = { minVersion: version, maxVersion: version };
      const first = open({ ...only, ...alice });
      const sessions: Buffer[] = [];
      first.on('session', (session) => sessions.push(session));
      first.write(REQUEST);
      await once(first, 'data');
      sessions.push(first.getSession()!);
      first.destroy();
      for (const session of sessions) {
        const second = open({ ...only, session });
        second.write(REQUEST);
        const [answer] = (await once(second, 'data')) as [Buffer];
        expect(second.isSessionReused()).toBe(false);
        expect(answer.toString()).toContain('nobody');
        second.destroy();
      }
    },
  );
});
