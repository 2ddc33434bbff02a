// Services to which no browser may be redirected: each gets a page without a ticket and without a link.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Browser, loginPath } from '../support/browser.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const ANY_HOST = 'https://any.example.org/';

let sso: Sso;
let browser: Browser;

beforeAll(async () => {
  sso = await startSso({
    services: [
      // Patterns that are too wide must not make redirects unsafe.
      { serviceId: '^(https?:)?[/\\\\]*.*any\\.example\\.org.*', name: 'any' },
      { serviceId: '^javascript:.*', name: 'script' },
    ],
  });
});
beforeEach(() => {
  browser = new Browser(sso.url);
});
afterAll(() => sso.close());

// Origins: OWASP "Unvalidated Redirects and Forwards"; WHATWG URL, which removes tabs and newlines and reads \ as /.
test.each([
  ['another host', 'https://evil.example/'],
  ['without a scheme', '//any.example.org/'],
  ['backslashes', 'https:\\\\any.example.org/'],
  ['a backslash before the path', 'https://evil.example\\any.example.org/'],
  ['a user that looks like the host', 'https://any.example.org@evil.example/'],
  ['a user and a password', 'https://any.example.org:x@evil.example/'],
  ['an empty user', 'https://@any.example.org/'],
  ['one slash', 'https:/any.example.org/'],
  ['three slashes', 'https:///any.example.org/'],
  ['no slash', 'https:any.example.org/'],
  ['a script', 'javascript:alert(1)//any.example.org'],
  ['data', 'data:text/html,any.example.org'],
  ['a space in front', ' https://any.example.org/'],
  ['a space in the host', 'https://evil.example /any.example.org'],
  ['a no-break space', 'https://any.example.org/\u00a0'],
  ['a line separator', 'https://any.example.org/\u2028'],
  ['a port that is no number', 'https://any.example.org:x/'],
  ['a host that cannot be one', 'https://[any.example.org]/'],
  ['a percent-encoded host', 'https://%00any.example.org/'],
])('%s gets the error page', async (_, service) => {
  for (const path of [loginPath(service), loginPath(service, { gateway: 'true' })]) {
    const reply = await browser.get(path);
    expect([reply.status, reply.headers.location]).toEqual([403, undefined]);
    expect(reply.body).not.toMatch(/href="(?!\?)[^"]*(evil|any)\.example/);
  }
  const logout = await browser.get(`/logout?${new URLSearchParams({ service }).toString()}`);
  expect([logout.status, logout.headers.location]).toEqual([200, undefined]);
});

test('a refusal is in the log, with what the page says of it', async () => {
  const lines: string[] = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
  const { body } = await browser.get(loginPath(`https://evil.example/?secret=${'x'.repeat(500)}`));
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'the login page refused a service',
      service: 'https://evil.example/',
      reason: 'unregistered',
      clientAddress: '127.0.0.1',
      requestId: /Reference: <code dir="ltr">([\w-]+)<\/code>/.exec(body)?.[1],
    }),
  ]);
});

test('the same pattern admits an ordinary URL', async () => {
  expect((await browser.get(loginPath(ANY_HOST, { gateway: 'true' }))).headers.location).toBe(
    ANY_HOST,
  );
});

// A form of a search sends its words with + or %20. Both are spaces once decoded.
test.each([
  ['https://any.example.org/search?q=a b', 'https://any.example.org/search?q=a%20b'],
  ['https://any.example.org/a b#c d', 'https://any.example.org/a%20b#c%20d'],
  ['https://any.example.org/?q=a%20b', 'https://any.example.org/?q=a%20b'],
])('a space behind the host is kept: %s', async (service, location) => {
  const path = loginPath(service, { gateway: 'true' });
  for (const spelled of [path, path.replaceAll('+', '%20')]) {
    expect((await browser.get(spelled)).headers.location).toBe(location);
  }
  await browser.login(loginPath(APP));
  const [before = '', fragment = ''] = location.split(/(?=#)/);
  const { headers } = await browser.get(loginPath(service));
  expect(headers.location?.replace(/ST-[\w-]+/, 'ST')).toBe(
    `${before}${before.includes('?') ? '&' : '?'}ticket=ST${fragment}`,
  );
});

test.each(['\t', '\n', '\r\n', '\0', '\u007f', '\u0085'])(
  'the control character %j gets 400',
  async (character) => {
    const service = `https://any.example.org/${character}Set-Cookie:%20TGC=x`;
    for (const path of [loginPath(service), loginPath(service).replace('login', 'logout')]) {
      const { status, headers } = await browser.get(path);
      expect([status, headers.location, headers['set-cookie']]).toEqual([
        400,
        undefined,
        undefined,
      ]);
    }
  },
);

test('the service of the form counts, not that of the address', async () => {
  const { execution } = await browser.form(loginPath(APP));
  const reply = await browser.submit({ action: loginPath('https://evil.example/'), execution });
  expect(reply.headers.location).toMatch(/^https:\/\/app\.example\.org\/\?ticket=/);
});

test('a service that is disabled while the form is open gets no ticket', async () => {
  const form = await browser.form(loginPath(ANY_HOST));
  await sso.database.dataSource.query(
    "update registered_service set enabled = false where service_id like '%any%'",
  );
  await sso.refreshServices();
  const reply = await browser.submit(form);
  expect([reply.status, reply.headers.location, browser.cookie]).toEqual([
    403,
    undefined,
    undefined,
  ]);
  await sso.database.dataSource.query('update registered_service set enabled = true');
  await sso.refreshServices();
});
