// Several nodes behind deploy/haproxy/haproxy.cfg: two are restarted one after the other under load, and no request fails.
// Only addresses are changed, and the TLS of clients is left out.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Load } from '../faults/load.js';
import { createEmptyDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { http } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { prepareDatabase, startNode, type SsoNode } from '../support/sso-node.js';
import { until } from '../support/until.js';

const { HAPROXY = '/usr/sbin/haproxy' } = process.env;
const FILE = 'deploy/haproxy/haproxy.cfg';
const isInstalled = existsSync(HAPROXY);
if (!isInstalled) process.stderr.write(`left out: the rolling restart; there is no ${HAPROXY}\n`);

/** More than the 2 s within which HAProxy sees that a node stops. */
const SETTINGS = ['--server.drain-time=4s', '--sso.proxies.trusted=127.0.0.1'];
const ANSWERS_BETWEEN = 50;

(isInstalled ? describe : describe.skip)('several nodes behind HAProxy', () => {
  let folder: string;
  let proxy: ChildProcess | undefined;
  let log = '';

  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async () => {
    proxy?.kill('SIGTERM');
    await removeFolder(folder);
  });
  afterAll(endPrograms);

  /** Returns the port of the proxy. */
  async function startProxy(ports: readonly number[]): Promise<number> {
    const port = await freePort();
    const lines = ports.map((each, index) => `  server node-${index} 127.0.0.1:${each}\n`);
    const edits = [
      [/bind :80\n/, `bind 127.0.0.1:${await freePort()}\n`],
      [/bind :443 .*\n/, `bind 127.0.0.1:${port}\n`],
      [/ {2}server one 127\.0\.0\.1:8080\n/, lines.join('')],
    ] as const;
    let text = await readFile(FILE, 'utf8');
    for (const [written, changed] of edits) {
      expect(text).toMatch(written);
      text = text.replace(written, changed);
    }
    const path = join(folder, 'haproxy.cfg');
    await writeFile(path, text);
    proxy = spawn(HAPROXY, ['-f', path], { stdio: ['ignore', 'pipe', 'ignore'] });
    proxy.stdout?.setEncoding('utf8').on('data', (output: string) => (log += output));
    const url = `http://127.0.0.1:${port}`;
    await until('the proxy answers', () => http('GET', url, '/').catch(() => undefined));
    return port;
  }

  /** Stops a node, starts another on its port, and waits until HAProxy uses it. */
  async function restart(
    index: number,
    { program, port }: SsoNode,
    start: (port: number) => Promise<unknown>,
  ): Promise<void> {
    const before = log.length;
    expect(await program.stop()).toMatchObject({ code: 0 });
    expect(log.slice(before)).toContain(`/node-${index} is DOWN`);
    await start(port);
    await until('HAProxy uses it again', () => log.includes(`/node-${index} is UP`, before));
  }

  test('a rolling restart fails no request, and no ticket is presented twice', async () => {
    const database = await createEmptyDatabase();
    await prepareDatabase(database.url);
    const start = (port: number): Promise<SsoNode> =>
      startNode(database.url, [...SETTINGS, `--sso.port=${port}`]);
    const nodes = [await start(0), await start(0)];
    const proxyPort = await startProxy(nodes.map(({ port }) => port));
    const load = new Load({ ports: [() => proxyPort], connectionsPerNode: 8 });
    for (const [index, node] of nodes.entries()) {
      const enough = load.answers.length + ANSWERS_BETWEEN;
      await until('requests are answered', () => load.answers.length > enough);
      await restart(index, node, start);
    }
    await load.stop();
    expect(load.unanswered).toEqual([]);
    expect(load.unexpectedAnswers).toEqual([]);
    expect(load.answers.filter(({ status }) => status >= 500)).toEqual([]);
    // A first presentation that the proxy had sent twice would have been refused.
    expect([...load.tickets.values()].filter((accepted) => accepted !== 1)).toEqual([]);
    await endPrograms();
    await database.drop();
  });

  test('a validation that a node has got and does not answer is not sent again', async () => {
    let validations = 0;
    const dying = createServer((request, response) => {
      if (request.url?.startsWith('/cas/validate') !== true) return response.end();
      validations += 1;
      return request.socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(dying, 'listening');
    const { port } = dying.address() as AddressInfo;
    const url = `http://127.0.0.1:${await startProxy([port, port])}`;
    expect(await http('GET', url, '/cas/validate')).toMatchObject({ status: 502 });
    expect(validations).toBe(1);
    dying.closeAllConnections();
    dying.close();
  });
});
