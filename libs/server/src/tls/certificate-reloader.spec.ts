import { once } from 'node:events';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { TestAuthority, type Identity } from '../../../../test/support/pki/test-authority.js';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { until } from '../../../../test/support/until.js';
import { HttpsListener } from './https-listener.js';

const INTERVAL = 20;

let folder: string;
let authority: TestAuthority;
let listener: HttpsListener;
let server: Server;
let lines: { level: string; msg: string; error?: { message: string } }[];

beforeAll(async () => {
  folder = await makeFolder();
  authority = await TestAuthority.create();
});

afterAll(() => removeFolder(folder));

beforeEach(async () => {
  lines = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  configureLogging({ application: 'test', levels: {}, write });
  await install(await authority.issue('CN=first'));
  listener = await openListener();
  server = listener.createServer({}, (_request, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  configureLogging({ application: 'test', levels: {} });
});

function openListener(): Promise<HttpsListener> {
  const certificate = { setting: 'a.certificate', path: join(folder, 'cert') };
  const key = { setting: 'a.key', path: join(folder, 'key') };
  return HttpsListener.open({ certificate, key, requestsClientCertificate: false }, INTERVAL);
}

async function install({ cert, key }: Partial<Identity>): Promise<void> {
  if (cert !== undefined) await replace('cert', cert);
  if (key !== undefined) await replace('key', key);
}

/** At once: a file that is written in place is empty for a moment, which is a change of its own. */
async function replace(name: string, text: string): Promise<void> {
  await writeFile(join(folder, 'next'), text);
  await rename(join(folder, 'next'), join(folder, name));
}

async function open(): Promise<TLSSocket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, ca: authority.cert });
  await once(socket, 'secureConnect');
  return socket;
}

async function subject(): Promise<string | undefined> {
  const socket = await open();
  const name = socket.getPeerX509Certificate()?.subject;
  socket.destroy();
  return name;
}

const warnings = () => lines.filter(({ level }) => level === 'warn');

describe('a certificate renewed on disk', () => {
  test('is shown on new connections, and running ones go on', async () => {
    const running = await open();
    await install(await authority.issue('CN=second'));
    await until('the new one is shown', async () => (await subject()) === 'CN=second');
    running.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    expect(String((await once(running, 'data'))[0])).toContain('HTTP/1.1 200');
    running.destroy();
    expect(lines.map(({ msg }) => msg)).toContain('a new certificate is used');
    expect(listener.expiring).toMatchObject([{ label: 'second' }]);
  });

  test('is seen behind a link that leads elsewhere now', async () => {
    const { cert, key } = await authority.issue('CN=linked');
    await writeFile(join(folder, 'elsewhere'), cert);
    await symlink(join(folder, 'elsewhere'), join(folder, 'link'));
    await install({ key });
    await rename(join(folder, 'link'), join(folder, 'cert'));
    await until('the new one is shown', async () => (await subject()) === 'CN=linked');
    await rm(join(folder, 'cert'));
  });

  test.each<[string, () => Promise<void>, string]>([
    [
      'of another key',
      async () => install({ cert: (await authority.issue('CN=second')).cert }),
      'a.key',
    ],
    ['cut short', () => install({ cert: '-----BEGIN CERT' }), 'a.certificate'],
    ['gone', () => rm(join(folder, 'cert')), 'a.certificate'],
  ])('is not used %s: the old one stays, with one warning', async (_, change, setting) => {
    await change();
    await until('there is a warning', () => warnings().length > 0);
    await sleep(5 * INTERVAL);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatchObject({
      msg: 'keeping the certificate in use',
      error: { message: expect.stringContaining(`${setting}: ${folder}`) },
    });
    expect(await subject()).toBe('CN=first');
    expect(listener.expiring).toMatchObject([{ label: 'first' }]);
    await install(await authority.issue('CN=third'));
    await until('a good one is shown', async () => (await subject()) === 'CN=third');
  });
});
