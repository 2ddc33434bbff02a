// Requests whose head another HTTP server could read differently, to both applications, in plain and over TLS.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startConfigServer, type ConfigServer } from '../support/config-server.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { TestAuthority } from '../support/pki/test-authority.js';
import { sendRaw } from '../support/raw-request.js';
import { startSso, type Sso } from '../support/sso.js';

const SEVERAL_HOSTS = 'Host is given more than once';
const NO_HTTP_1 = 'the request line does not say HTTP/1.0 or HTTP/1.1';

const HEAD = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: TYPE',
  'Content-Length: LENGTH',
  'Cache-Control: no-store',
  'X-Content-Type-Options: nosniff',
  'Connection: close',
];

interface Place {
  readonly base: string;
  /** The answer to a request for the health of the process, with this message. */
  refusal(message: string): string;
}

let folder: string;
let sso: Sso[] = [];
let configServers: ConfigServer[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  const { cert, key } = await (await TestAuthority.create()).issue('CN=server');
  await writeFile(join(folder, 'cert'), cert);
  await writeFile(join(folder, 'key'), key);
  const tls = (application: string): readonly string[] => [
    `--${application}.tls.certificate-file=${join(folder, 'cert')}`,
    `--${application}.tls.key-file=${join(folder, 'key')}`,
  ];
  const own = [`--config-server.native.location=${folder}`];
  sso = [await startSso(), await startSso({ settings: tls('sso') })];
  configServers = [
    await startConfigServer(own),
    await startConfigServer([...own, ...tls('config-server')]),
  ];
});
afterAll(async () => {
  await Promise.all([...sso, ...configServers].map((application) => application.close()));
  await removeFolder(folder);
});

function refusalOfSso(message: string): string {
  return answer('text/plain;charset=UTF-8', message);
}

function refusalOfConfigServer(message: string): string {
  const body = `{"timestamp":"TIME","status":400,"error":"Bad Request","path":"/health/live","message":"${message}"}`;
  return answer('application/json', body);
}

function answer(type: string, body: string): string {
  return `${HEAD.join('\r\n').replace('TYPE', type)}\r\n\r\n${body}`;
}

/** Without what differs from one answer to the next. */
function timeless(text: string): string {
  return text
    .replace(/Date: .*?\r\n/, '')
    .replace(/Content-Length: \d+/, 'Content-Length: LENGTH')
    .replace(/"timestamp":"[^"]+"/, '"timestamp":"TIME"');
}

describe.each<[string, () => Place]>([
  ['the SSO application', () => ({ base: sso[0]?.url ?? '', refusal: refusalOfSso })],
  ['the SSO application over TLS', () => ({ base: sso[1]?.url ?? '', refusal: refusalOfSso })],
  [
    'the config server',
    () => ({ base: configServers[0]?.url ?? '', refusal: refusalOfConfigServer }),
  ],
  [
    'the config server over TLS',
    () => ({
      base: configServers[1]?.url.replace('http:', 'https:') ?? '',
      refusal: refusalOfConfigServer,
    }),
  ],
])('%s', (_application, place) => {
  const send = async (head: string): Promise<string> => {
    const { base } = place();
    const path = `${new URL(base).pathname.replace(/\/$/, '')}/health/live`;
    const back = path.replace(/\/(?=live)/, '\\');
    return timeless(await sendRaw(base, head.replace('PATH', path).replace('BACK', back)));
  };

  test.each([
    ['two Hosts', 'GET PATH HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n', SEVERAL_HOSTS],
    [
      'one Host twice',
      'GET PATH HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
      SEVERAL_HOSTS,
    ],
    [
      'two Hosts in other letters, far apart',
      'GET PATH HTTP/1.1\r\nhost: localhost\r\nX: 1\r\nDate: x\r\nhOsT: localhost\r\n\r\n',
      SEVERAL_HOSTS,
    ],
    [
      'a second Host that is empty',
      'GET PATH HTTP/1.1\r\nHost: localhost\r\nHost:\r\n\r\n',
      SEVERAL_HOSTS,
    ],
    [
      'two Hosts in HTTP/1.0',
      'GET PATH HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
      SEVERAL_HOSTS,
    ],
    [
      'two Hosts before an entity that is a request',
      'POST PATH HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nContent-Length: 44\r\n\r\nGET PATH HTTP/1.1\r\nHost: localhost\r\n\r\n',
      SEVERAL_HOSTS,
    ],
    ['no version', 'GET PATH\r\n\r\n', NO_HTTP_1],
    ['no version, but a Host', 'GET PATH\r\nHost: localhost\r\n\r\n', NO_HTTP_1],
    ['no version, and two Hosts', 'GET PATH\r\nHost: localhost\r\nHost: other\r\n\r\n', NO_HTTP_1],
    ['version 0.9', 'GET PATH HTTP/0.9\r\nHost: localhost\r\n\r\n', NO_HTTP_1],
    ['version 2.0', 'GET PATH HTTP/2.0\r\nHost: localhost\r\n\r\n', NO_HTTP_1],
  ])('refuses %s with 400, and closes the connection', async (_what, head, message) => {
    expect(await send(head)).toBe(place().refusal(message));
  });

  // Express reads the first two as a slash and as the end of the path. The rules of a proxy for a path do not.
  test.each([
    ['a backslash in its path, and a fragment', 'BACK#'],
    ['a backslash in its path', 'BACK?a=b'],
    ['a fragment', 'PATH?a#b'],
  ])('refuses a target with %s with 400', async (_what, target) => {
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    expect(await send(head)).toMatch(/^HTTP\/1\.1 400 .*the request target is not valid/s);
  });

  test('refuses HTTP/1.1 without a Host with 400', async () => {
    expect(await send('GET PATH HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*Connection: close/s);
  });

  test.each([
    [
      'a backslash in the query',
      'GET PATH?a=\\ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ],
    ['one Host', 'GET PATH HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    [
      'one Host beside names that end or begin so, or are as long',
      'GET PATH HTTP/1.1\r\nhost: localhost\r\nX-Host: a\r\nHosts: b\r\nDate: c\r\nFrom: Host\r\nConnection: close\r\n\r\n',
    ],
    ['HTTP/1.0 without a Host', 'GET PATH HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 with one', 'GET PATH HTTP/1.0\r\nHost: localhost\r\n\r\n'],
  ])('takes %s', async (_what, head) => {
    expect(await send(head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

test.each([
  ['two Hosts', '/cas HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n', 400],
  ['another version', '/cas HTTP/2.0\r\nHost: localhost\r\n', 400],
  ['an invalid target', 'http://[ HTTP/1.1\r\nHost: localhost\r\n', 400],
  ['an invalid target and two Hosts', 'ws://[x HTTP/1.1\r\nHost: a\r\nHost: b\r\n', 400],
  ['an unknown Expect', '/cas HTTP/1.1\r\nHost: localhost\r\nExpect: foo\r\n', 417],
  [
    'an unknown Expect and two Hosts',
    '/cas HTTP/1.1\r\nHost: a\r\nHost: b\r\nExpect: foo\r\n',
    400,
  ],
])('carries out no request that comes behind one with %s', async (_what, head, status) => {
  const [{ url } = { url: '' }] = sso;
  const tgt = (await sso[0]?.login()) ?? '';
  const path = `/cas/v1/tickets/${tgt}`;
  const behind = `DELETE ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const answers = await sendRaw(url, `GET ${head}\r\n${behind}`);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
  expect(await http('GET', url, `/v1/tickets/${tgt}`)).toMatchObject({ status: 200, body: tgt });
});
