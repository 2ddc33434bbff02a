// The webhook of the config server: who is listened to, what comes of it, and what is answered.
import { createHmac } from 'node:crypto';
import { rename } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { Module, type DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApplication } from '@tessera/server';
import { Secret } from '@tessera/config';
import { renderError } from '../../apps/config-server/src/errors/error-renderer.js';
import { GitBackend } from '../../apps/config-server/src/backends/git/git-backend.js';
import type { EnvironmentBackend } from '../../apps/config-server/src/backends/environment-backend.js';
import { Backends } from '../../apps/config-server/src/backends/backends.js';
import { MonitorController } from '../../apps/config-server/src/monitor/monitor.controller.js';
import { GitSettings } from '../../apps/config-server/src/settings/git-settings.js';
import { gitConfig } from '../../apps/config-server/src/settings/namespaces.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { GitHttpServer } from '../support/git-http-server.js';
import { GitRemote } from '../support/git-remote.js';
import { http, type Reply } from '../support/http.js';

const SECRET = 'a secret of the webhook';
const PUSH = JSON.stringify({ ref: 'refs/heads/main' });
const QUERY = { applications: ['orders'], profiles: ['default'], label: undefined };

let remote: GitRemote;
let host: GitHttpServer;
let clones: string;
let git: GitBackend;
let app: NestExpressApplication;
let url: string;

beforeAll(async () => {
  [remote, clones] = await Promise.all([GitRemote.create(), makeFolder()]);
  host = new GitHttpServer(remote.path, '');
  await Promise.all([remote.push({ 'orders.properties': 'k=1' }), host.listen()]);
  const settings = { uri: host.url, cloneDirectory: clones, refresh: 0 };
  git = await GitBackend.open(Object.assign(new GitSettings(), settings).options());
  await git.find(QUERY);
  await remote.push({ 'orders.properties': 'k=2' });
  const native: EnvironmentBackend = { name: 'native', find: (query) => git.find(query) };
  [app, url] = await start([native, git], new Secret(SECRET));
});

afterAll(async () => {
  await app.close();
  await git.close();
  await host.close();
  await Promise.all([remote.remove(), removeFolder(clones)]);
});

@Module({})
class TestModule {}

async function start(
  backends: readonly EnvironmentBackend[],
  secret: Secret | undefined,
  token?: Secret,
): Promise<[NestExpressApplication, string]> {
  const module: DynamicModule = {
    module: TestModule,
    controllers: [MonitorController],
    providers: [
      { provide: Backends, useValue: { all: backends } },
      { provide: gitConfig.KEY, useValue: { webhookSecret: secret, webhookToken: token } },
    ],
  };
  const started = await createApplication(module, {
    contextPath: '',
    renderError,
  });
  await started.listen(0, '127.0.0.1');
  const { port } = started.getHttpServer().address() as AddressInfo;
  return [started, `http://127.0.0.1:${port}`];
}

function signed(body: string | Buffer, secret = SECRET): Record<string, string> {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` };
}

function push(headers = signed(PUSH), body: string | Buffer = PUSH, to = url): Promise<Reply> {
  return http('POST', to, '/monitor', { headers, body });
}

function refusal(status: number, error: string, message: string): object {
  const timestamp = expect.stringMatching(/^\d{4}-.*\+00:00$/);
  return { timestamp, status, error, path: '/monitor', message };
}

const valueOf = async () => (await git.find(QUERY)).sources[0]?.properties.get('k')?.value;

describe('POST /monitor fetches nothing and', () => {
  const NOT_SIGNED = refusal(403, 'Forbidden', 'the request is not signed with the secret');

  test.each<[string, () => [Record<string, string>, string | Buffer], object]>([
    ['refuses what is not signed', () => [{}, PUSH], NOT_SIGNED],
    ['refuses a signature of another body', () => [signed(PUSH), `${PUSH} `], NOT_SIGNED],
    [
      'refuses what is compressed',
      () => [{ ...signed(PUSH), 'content-encoding': 'gzip' }, PUSH],
      refusal(415, 'Unsupported Media Type', 'Content-Encoding is not supported'),
    ],
    [
      'refuses what is larger than 1 MiB',
      () => [signed(Buffer.alloc(1_048_577)), Buffer.alloc(1_048_577)],
      refusal(413, 'Payload Too Large', 'the body is larger than 1048576 bytes'),
    ],
  ])('%s', async (_rule, example, expected) => {
    const asked = host.authorizations.length;
    const reply = await push(...example());
    expect(JSON.parse(reply.body)).toEqual(expected);
    expect(reply.status).toBe((expected as { status: number }).status);
    expect(reply.headers['content-type']).toBe('application/json');
    expect([host.authorizations.length, await valueOf()]).toEqual([asked, '1']);
  });

  test.each([
    ['none', undefined],
    ['an empty one', new Secret('')],
  ])('is not there where the secret is %s', async (_what, secret) => {
    const [other, address] = await start([git], secret);
    expect((await push(signed(PUSH, ''), PUSH, address)).status).toBe(404);
    await other.close();
  });

  const TOKEN = new Secret('a token of GitLab');

  test.each<[string, { secret?: Secret; token?: Secret }, string, number]>([
    [
      'the token, where both are set',
      { secret: new Secret(SECRET), token: TOKEN },
      TOKEN.reveal(),
      200,
    ],
    ['the secret, where a secret is set', { secret: new Secret(SECRET) }, SECRET, 403],
    ['a token, where none is set', { token: new Secret('') }, '', 404],
  ])("answers GitLab's %s", async (_what, { secret, token }, given, status) => {
    const [other, address] = await start([], secret, token);
    expect((await push({ 'x-gitlab-token': given }, PUSH, address)).status).toBe(status);
    await other.close();
  });

  test('allows no other method', async () => {
    const reply = await http('GET', url, '/monitor');
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST']);
    expect(JSON.parse(reply.body)).toEqual(
      refusal(405, 'Method Not Allowed', 'Method not allowed'),
    );
  });
});

describe('POST /monitor that is signed', () => {
  test('answers with the backends that have seen the push, once they have', async () => {
    const reply = await push();
    expect([reply.status, reply.body]).toEqual([200, '["git"]']);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(await valueOf()).toBe('2');
  });

  test('is taken as bytes, whatever they are, up to 1 MiB', async () => {
    for (const body of [Buffer.alloc(1_048_576, 0xff), Buffer.alloc(0), 'payload=%7B%7D']) {
      expect((await push(signed(body), body)).status).toBe(200);
    }
  });

  test('does no harm when it is sent again, and shares fetches with others like it', async () => {
    const before = host.authorizations.length;
    await push();
    const asked = host.authorizations.length - before;
    await remote.push({ 'orders.properties': 'k=3' });
    const replies = await Promise.all(Array.from({ length: 30 }, () => push()));
    expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(await valueOf()).toBe('3');
    expect(host.authorizations.length - before).toBeLessThan(10 * asked);
  });

  test('answers 503 where nothing can be fetched, and 200 when it can again', async () => {
    await rename(remote.path, `${remote.path}-away`);
    const reply = await push();
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(JSON.parse(reply.body)).toEqual(
      refusal(503, 'Service Unavailable', 'backend git is not available'),
    );
    await rename(`${remote.path}-away`, remote.path);
    expect((await push()).status).toBe(200);
    expect(await valueOf()).toBe('3');
  });
});
