// A node that speaks HTTPS itself: the same service, on every worker, to the end of the process.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectDebuggerSignalIgnored } from '../support/debugger-signal.js';
import { TestAuthority } from '../support/pki/test-authority.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http, type Reply } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { startSso } from '../support/sso.js';
import { startNode, type SsoNode } from '../support/sso-node.js';

let folder: string;
let database: TestDatabase;
let authority: TestAuthority;
let files: readonly string[];

beforeAll(async () => {
  folder = await makeFolder();
  authority = await TestAuthority.create();
  const { cert, key } = await authority.issue('CN=server');
  await writeFile(join(folder, 'cert'), cert);
  await writeFile(join(folder, 'key'), key);
  files = [
    `--sso.tls.certificate-file=${join(folder, 'cert')}`,
    `--sso.tls.key-file=${join(folder, 'key')}`,
  ];
  database = await createTestDatabase();
});

afterAll(async () => {
  await endPrograms();
  await database.drop();
  await removeFolder(folder);
});

function login({ port }: SsoNode): Promise<Reply> {
  return http('POST', `https://localhost:${port}/cas`, '/v1/tickets', {
    form: { username: 'casuser', password: 'Mellon' },
    tls: { ca: authority.cert },
  });
}

async function open({ port }: SsoNode): Promise<TLSSocket> {
  const socket = connect({ host: 'localhost', port, ca: authority.cert });
  await once(socket, 'secureConnect');
  return socket;
}

test('HTTPS on two workers logs in, sends links of https, opens no debugger, and ends by SIGTERM with quiet connections open', async () => {
  const node = await startNode(database.url, ['--sso.workers=2', ...files]);
  await node.program.waitForOutput(/(?:"msg":"listening"[^]*){2}/);
  await expectDebuggerSignalIgnored(node.program, 3);
  const replies = await Promise.all(Array.from({ length: 4 }, () => login(node)));
  for (const { status, headers } of replies) {
    expect(status).toBe(201);
    expect(headers.location).toMatch(/^https:/);
  }
  await expect(http('GET', `http://127.0.0.1:${node.port}`)).rejects.toThrow();
  const silent = await open(node);
  const used = await open(node);
  used.write('GET /cas/health/live HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(used, 'data');
  const closed = Promise.all([once(silent.resume(), 'close'), once(used.resume(), 'close')]);
  const { code } = await node.program.stop();
  await closed;
  expect(code).toBe(0);
});

test('a file that is no use ends the start, named with its setting', async () => {
  await writeFile(join(folder, 'key'), 'no key');
  await expect(startSso({ settings: files })).rejects.toThrow(
    `sso.tls.key-file: ${join(folder, 'key')} holds no private key in PEM`,
  );
});
