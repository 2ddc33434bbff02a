// The applications of `npm run demo`: single sign-on, proxying, single logout, and what they refuse.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CookieBrowser, type Visit } from '../clients/web/cookie-browser.js';
import { type Demo, startDemo, startSsoForDemo } from '../support/demo.js';
import { http } from '../support/http.js';
import { endPrograms, Program } from '../support/process.js';
import type { Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { freePort, occupyPort } from '../support/free-port.js';

const SIGNED_IN = '<h1>Signed in as o&#39;hara &#60;&#38;&#34;&#62; Zoë 😀</h1>';
const SIGNED_OUT = '<h1>You are not signed in</h1>';
const ENDED = 'Single logout: ';
const POST: RequestInit = { method: 'POST' };

const headingOf = ({ body }: Visit): string => /<h1>.*<\/h1>/.exec(body)?.[0] ?? body;

/** The message of the back channel for a ticket. */
function logoutRequest(ticket: string): RequestInit {
  const message = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-1" Version="2.0"><saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">casuser</saml:NameID><samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`;
  return { ...POST, body: new URLSearchParams({ logoutRequest: message }) };
}

test('is what `npm run demo` runs', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['demo']).toBe('exec node --disable-sigusr1 dist/apps/demo/src/main.js');
});

describe('with an SSO', () => {
  let sso: Sso;
  let demo: Demo;
  let browser: CookieBrowser;
  const signInByTicket = async (): Promise<string> => {
    const ticket = await sso.grant(await sso.login(), `${demo.wiki}/sign-in`);
    const { url, body } = await browser.open(`${demo.wiki}/sign-in?ticket=${ticket}`);
    expect(url.href).toBe(`${demo.wiki}/`);
    expect(body).toContain('<h1>Signed in as casuser</h1>');
    return ticket;
  };

  beforeAll(async () => {
    sso = await startSsoForDemo();
    demo = await startDemo(sso.url);
  });
  afterAll(async () => {
    await endPrograms();
    await sso.close();
  });
  beforeEach(() => {
    browser = new CookieBrowser();
  });

  test('one form signs in to both applications, and Wiki gets entries of Calendar', async () => {
    const { wiki, calendar } = demo;
    expect(headingOf(await browser.open(wiki))).toBe(SIGNED_OUT);
    const first = await browser.login(`${wiki}/sign-in`);
    expect([first.url.href, headingOf(first)]).toEqual([`${wiki}/`, SIGNED_IN]);
    expect(first.body).toContain('Coffee with o&#39;hara &#60;&#38;');
    expect(first.body).not.toContain('No entries.');
    const second = await browser.open(`${calendar}/sign-in`);
    expect([second.url.href, headingOf(second)]).toEqual([`${calendar}/`, SIGNED_IN]);
    expect(demo.program.stderr).toBe('');
  });

  test('signing out everywhere ends the session of the other application', async () => {
    const { wiki, calendar } = demo;
    await browser.login(`${wiki}/sign-in`);
    await browser.open(`${calendar}/sign-in`);
    const { url } = await browser.open(`${calendar}/sign-out-everywhere`, POST);
    expect(url.href).toBe(`${calendar}/?signed-out`);
    const page = await until('the session has ended', async () => {
      const visit = await browser.open(wiki);
      return headingOf(visit) === SIGNED_OUT && visit;
    });
    expect(page.body).toContain(ENDED);
    expect((await browser.open(wiki)).body).not.toContain(ENDED);
    expect((await browser.open(`${wiki}/sign-in`)).body).toContain('name="execution"');
  });

  test('signing out here ends one session, and the next sign-in needs no form', async () => {
    const { wiki, calendar } = demo;
    await browser.login(`${wiki}/sign-in`);
    await browser.open(`${calendar}/sign-in`);
    expect(headingOf(await browser.open(`${wiki}/sign-out`, POST))).toBe(SIGNED_OUT);
    expect(headingOf(await browser.open(calendar))).toBe(SIGNED_IN);
    expect(headingOf(await browser.open(`${wiki}/sign-in`))).toBe(SIGNED_IN);
  });

  test('a logout request ends the session of its ticket, and no other', async () => {
    const ticket = await signInByTicket();
    const url = `${demo.wiki}/sign-in`;
    const send = async (named: string) => (await fetch(url, logoutRequest(named))).status;
    expect(await send('ST-0aaaaaaaaaaaaaaaaaaaaaa')).toBe(200);
    expect((await browser.open(demo.wiki)).body).toContain('Signed in as casuser');
    expect(await send(ticket)).toBe(200);
    expect(headingOf(await browser.open(demo.wiki))).toBe(SIGNED_OUT);
  });

  test('a login over REST, as in the README, is told of its logout', async () => {
    const service = `${demo.wiki}/sign-in`;
    expect(readFileSync('README.md', 'utf8')).toContain(
      "-d 'service=http://localhost:9000/sign-in'",
    );
    const tgt = await sso.login();
    await http(
      'GET',
      sso.url,
      `/p3/serviceValidate?${new URLSearchParams({ service, ticket: await sso.grant(tgt, service) })}`,
    );
    await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
    await until('the message is sent', async () => {
      const messages = await sso.database.dataSource.query<readonly { attempts: number }[]>(
        'select attempts from logout_message where service = $1',
        [service],
      );
      for (const { attempts } of messages) expect(attempts).toBe(0);
      return messages.length === 0;
    });
  });

  test('a logout request that is none is refused', async () => {
    const body = new URLSearchParams({ logoutRequest: '<no' });
    expect((await fetch(`${demo.wiki}/sign-in`, { ...POST, body })).status).toBe(400);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['a forged ticket', () => 'ST-0aaaaaaaaaaaaaaaaaaaaaa'],
    ['a forged ticket behind which a name of a file stands', () => 'ST-0aaaaaaaaaaaaaa&x=.css'],
    ['a session in place of a ticket', () => sso.login()],
    [
      'a ticket of the other application',
      async () => sso.grant(await sso.login(), `${demo.calendar}/sign-in`),
    ],
  ])('refuses %s', async (_what, ticket) => {
    const { status, body } = await browser.open(`${demo.wiki}/sign-in?ticket=${await ticket()}`);
    expect(status).toBe(403);
    expect(body).toContain('The server did not accept the ticket. Sign in again.');
    expect(headingOf(await browser.open(demo.wiki))).toBe(SIGNED_OUT);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['no ticket', () => ''],
    ['a forged ticket', () => '?ticket=PT-0aaaaaaaaaaaaaaaaaaaaaa'],
    ['two tickets', () => '?ticket=PT-a&ticket=PT-b'],
    [
      'a service ticket, which came through no proxy',
      async () => `?ticket=${await sso.grant(await sso.login(), `${demo.calendar}/entries`)}`,
    ],
  ])('Calendar gives a program no entries for %s', async (_what, query) => {
    const { status, body } = await http('GET', demo.calendar, `/entries${await query()}`);
    expect([status, body]).toEqual([401, 'a proxy ticket of Wiki is needed\n']);
  });

  test('an SSO without its database gives a message', async () => {
    const ticket = await sso.grant(await sso.login(), `${demo.wiki}/sign-in`);
    await sso.databaseProxy.set('refuse');
    try {
      const { status, body } = await browser.open(`${demo.wiki}/sign-in?ticket=${ticket}`);
      expect(status).toBe(503);
      expect(body).toContain('Start it with npm start');
    } finally {
      await sso.databaseProxy.set('open');
    }
  });

  test('Wiki says why it has no entries, and keeps its session', async () => {
    await signInByTicket();
    await sso.databaseProxy.set('refuse');
    try {
      const { status, body } = await browser.open(demo.wiki);
      expect(status).toBe(200);
      expect(body).toContain('No entries. The server gave no proxy ticket.');
    } finally {
      await sso.databaseProxy.set('open');
    }
  });
});

describe('without an SSO', () => {
  afterAll(endPrograms);

  test('terminal and page say so, and Ctrl-C ends both with 0', async () => {
    const casUrl = `http://localhost:${await freePort()}/cas`;
    const { program, wiki } = await startDemo(casUrl);
    const message = `No single sign-on server answers at ${casUrl}. Start it with npm start, and try again.`;
    await until('the message', () => program.stderr === `${message}\n`);
    const { status, body } = await new CookieBrowser().open(`${wiki}/sign-in`);
    expect(status).toBe(503);
    expect(body).toContain(message);
    program.signal('SIGINT');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  test.each([
    ['a port that is taken', async () => `http://localhost:${await takenPort()}`, 'is in use'],
    ['an address that is none', () => 'localhost:9000', 'WIKI_URL is not an http URL'],
  ])('ends with 1 for %s', async (_what, url, message) => {
    const program = Program.start('demo', [], { env: { WIKI_URL: await url() } });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/^demo: /);
    expect(program.stderr).toContain(message);
    taken?.close();
  });
});

let taken: Awaited<ReturnType<typeof occupyPort>>;

async function takenPort(): Promise<number> {
  const port = await freePort();
  taken = await occupyPort(port);
  return port;
}
