// Hostile requests get a well-formed 4xx and do not block the event loop.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceStore } from '@tessera/services';
import { http, type Reply } from '../support/http.js';
import { sendRaw } from '../support/raw-request.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const CONTROL_CHARACTERS = [
  '\0',
  '\u0001',
  '\b',
  '\t',
  '\n',
  '\r',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u009b',
];

describe('hostile input', () => {
  let sso: Sso;
  let tgt: string;

  beforeAll(async () => {
    sso = await startSso({
      services: [{ serviceId: '^(a+)+$', name: 'catastrophic elsewhere', evaluationOrder: 1 }],
    });
    tgt = await sso.login();
  });
  afterAll(() => sso.close());

  const post = (path: string, body: string | Buffer, headers: Record<string, string> = FORM) =>
    http('POST', sso.url, path, { body, headers });

  function expectClear4xx(reply: Reply): void {
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(reply.body.length).toBeGreaterThan(0);
    expect(reply.body).not.toMatch(/ at .*:\d+|node_modules|Error:|undefined/);
    // oxlint-disable-next-line no-control-regex -- what must not come back
    expect(reply.body).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  }

  const BODIES: readonly (readonly [what: string, body: string | Buffer])[] = [
    ['a body of 64 KiB and one', Buffer.alloc(64 * 1024 + 1, 'a')],
    ['a body of 5 MB', Buffer.alloc(5_000_000, 'a=b&')],
    [
      '10,000 parameters',
      Array.from({ length: 10_000 }, (_, n) => `p${n}=`)
        .join('&')
        .slice(0, 65_000),
    ],
    ['10,000 times the same parameter', 'username=a&'.repeat(5_900)],
    ['arrays', 'username[]=casuser&password[]=Mellon&service[]=x'],
    ['nested objects', 'username[a][b][c]=casuser&password[x]=y&service[x]=y'],
    ['a prototype', '__proto__[username]=casuser&__proto__=x&constructor[prototype][x]=y'],
    ['bad percent-encoding', 'username=%&password=%zz&service=%1'],
    ['UTF-8 cut short', 'username=%c3&password=x&service=%e2%82'],
    ['UTF-16', Buffer.from('username=casuser&password=Mellon&service=x', 'utf16le')],
    ['bytes at random', Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 7_919) % 256))],
    ['only separators', '&=&=&=&&&==='],
    ['NUL', 'username=cas%00user&password=x&service=%00'],
  ];

  test.each(BODIES)(
    '%s is refused on logging in and on asking for a service ticket',
    async (_, body) => {
      for (const path of ['/v1/tickets', `/v1/tickets/${tgt}`, '/v1/tickets/garbage']) {
        const reply = await post(path, body);
        expectClear4xx(reply);
      }
    },
  );

  test.each(BODIES)('%s is refused on validation', async (_, body) => {
    for (const path of ['/serviceValidate', '/p3/proxyValidate', '/validate']) {
      const reply = await post(path, body);
      expectClear4xx(reply);
    }
  });

  test.each(CONTROL_CHARACTERS)('%j in user, service and ticket is refused', async (character) => {
    const value = encodeURIComponent(`a${character}b`);
    const replies = [
      await post('/v1/tickets', `username=${value}&password=x`),
      await post(`/v1/tickets/${tgt}`, `service=${value}`),
      await http('GET', sso.url, `/serviceValidate?service=${value}&ticket=ST-1`),
      await http('GET', sso.url, `/serviceValidate?service=${APP}&ticket=${value}`),
      await http('DELETE', sso.url, `/v1/tickets/${value}`),
    ];
    for (const reply of replies) {
      expectClear4xx(reply);
      expect(reply.status).toBe(400);
    }
  });

  test.each([
    `'`,
    '"',
    '<',
    '>',
    '&',
    ']]>',
    '<!--',
    '<![CDATA[',
    '&#0;',
    '&lt;',
    '${x}',
    '{{x}}',
    "'; drop table ticket_granting_ticket; --",
  ])('markup in service and ticket stays text: %s', async (markup) => {
    const value = encodeURIComponent(`x${markup}`);
    const reply = await http('GET', sso.url, `/serviceValidate?service=${value}&ticket=${value}`);
    expectClear4xx(reply);
    const escaped = markup.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(reply.body).toContain(`Ticket 'x${escaped}' not recognized`);
    expectClear4xx(await post(`/v1/tickets/${tgt}`, `service=${value}`));
  });

  test.each([
    ['doubled slashes', '//v1//tickets'],
    ['a doubled slash before the id', '/v1/tickets//TGT-1'],
    ['an encoded slash', '/v1%2Ftickets'],
    ['an encoded slash in the id', '/v1/tickets/TGT-1%2F..%2Fx'],
    ['dots', '/v1/tickets/../../x'],
    ['encoded dots', '/v1/tickets/%2e%2e/%2e%2e/x'],
    ['bad percent-encoding', '/v1/tickets/%zz'],
    ['UTF-8 cut short', '/v1/tickets/%c3'],
    ['another case', '/V1/Tickets'],
    ['a semicolon', '/v1/tickets;x=y/TGT-1'],
    ['a backslash', '/v1\\tickets'],
    ['an endless path', `/${'x'.repeat(4_000)}`],
  ])('%s in a path is refused', async (_, path) => {
    expectClear4xx(await http('GET', sso.url, path));
    expectClear4xx(await post(path, 'username=casuser&password=Mellon'));
  });

  test.each([
    'application/json',
    'text/xml',
    'application/x-www-form-urlencoded-x',
    '',
    'a/b/c',
    '\u00ff',
  ])('Content-Type %j is answered 415', async (type) => {
    const reply = await post('/v1/tickets', 'username=casuser&password=Mellon', {
      'content-type': type,
    });
    expect(reply.status).toBe(415);
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'a header of 100 KB',
      `GET /cas/validate HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    [
      'two lengths',
      'POST /cas/v1/tickets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'length and chunks',
      'POST /cas/v1/tickets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a bare line feed in a header',
      'GET /cas/validate HTTP/1.1\nHost: x\nX: a\0b\n\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['no Host', 'GET /cas/validate HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'an absolute target elsewhere',
      'GET http://evil.example/cas/validate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 4\d\d /,
    ],
  ])('%s is refused by the server itself', async (_, bytes, answer) => {
    expect(await sendRaw(sso.url, bytes)).toMatch(answer);
  });

  test('a pattern that backtracking engines die of is matched', async () => {
    const evil = `${'a'.repeat(8_000)}!`;
    await ServiceStore.of(sso.database.dataSource).add({
      serviceId: '^(([a-z])+.)+[A-Z]([a-z])+$',
      name: 'evil',
    });
    await sso.refreshServices();
    expect((await post(`/v1/tickets/${tgt}`, `service=${evil}`)).status).toBe(403);
  });

  test.each([
    `a${' '.repeat(15_000)}x`,
    `a;charset=x${' '.repeat(15_000)}y`,
    `a${'; '.repeat(7_000)}`,
  ])('an endless Content-Type is refused', async (type) => {
    const headers = { 'content-type': type };
    expect((await post('/v1/tickets', 'a=b', headers)).status).toBe(415);
  });

  test('after all of it the service works, and nothing was lost', async () => {
    const st = await sso.grant(tgt);
    const reply = await http('GET', sso.url, `/p3/serviceValidate?service=${APP}&ticket=${st}`);
    expect(reply.status).toBe(200);
    expect({}).not.toHaveProperty('username');
  });
});
