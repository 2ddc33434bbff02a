// How the pages look: languages, names, colours, and a directory that replaces files.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser, formIn, loginPath } from '../support/browser.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';

let sso: Sso;
let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
  for (const name of ['views', 'public', 'locales']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'views/signed-out.liquid'), '<p>bye from {{ brand.name }}</p>');
  await writeFile(join(folder, 'public/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'locales/en.json'), '{"login.title":"Welcome <b>"}');
  await writeFile(join(folder, 'locales/ar.json'), '{"login.title":"تسجيل الدخول"}');
  sso = await startSso({ settings: [`--sso.theme.directory=${folder}`] });
});
afterAll(async () => {
  await sso.close();
  await removeFolder(folder);
});

const page = async (path: string, headers = {}): Promise<string> =>
  (await http('GET', sso.url, path, { headers })).body;

describe('the language', () => {
  test.each([
    [{}, '', 'en'],
    [{ 'accept-language': 'de-CH,de;q=0.9' }, '', 'de'],
    [{ 'accept-language': 'it, fr;q=0.5, es;q=0.7' }, '', 'es'],
    [{ 'accept-language': 'it' }, '', 'en'],
    [{ 'accept-language': '*' }, '', 'en'],
    [{ 'accept-language': ';;;=,,' }, '', 'en'],
    [{ 'accept-language': 'de' }, '?locale=fr', 'fr'],
    [{ 'accept-language': 'de' }, '?locale=FR', 'fr'],
    [{ 'accept-language': 'de' }, '?locale=xx', 'de'],
    [{ 'accept-language': 'de' }, '?locale=__proto__', 'de'],
  ])('for %j and %j is %s', async (headers, query, locale) => {
    const reply = await http('GET', sso.url, `/login${query}`, { headers });
    expect(reply.body).toContain(`<html lang="${locale}" dir="ltr">`);
    expect(reply.headers['content-language']).toBe(locale);
  });

  test('that is written from right to left is shown so', async () => {
    expect(await page('/login?locale=ar')).toContain('<html lang="ar" dir="rtl">');
  });

  test.each([
    ['error pages', '/login?username=x', 400],
    ['refusals', loginPath('https://evil.example/'), 403],
    ['wrong addresses', '/nothing', 404],
  ])('of %s is that of the user, and can be changed', async (_, path, status) => {
    const headers = { accept: 'text/html', 'accept-language': 'de' };
    const reply = await http('GET', sso.url, path, { headers });
    expect([reply.status, reply.headers['content-language']]).toEqual([status, 'de']);
    expect(reply.body).toMatch(/Referenz: <code dir="ltr">[A-Za-z0-9]+-\d+<\/code>/);
    expect(reply.body).toContain('>Zur Anmeldeseite</a>');
    expect(reply.body).toContain('hreflang="fr"');
  });

  test('of a form that is shown again stays', async () => {
    const browser = new Browser(sso.url);
    const reply = await browser.login(loginPath(APP, { locale: 'de' }), {
      username: 'x',
      password: 'y',
    });
    expect(reply.body).toContain('Der Benutzername oder das Passwort ist nicht richtig.');
    expect(formIn(reply).action).toContain('locale=de');
  });

  test('that was chosen is kept in a cookie', async () => {
    const { headers } = await http('GET', sso.url, '/login?locale=fr');
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^locale=fr; Max-Age=31536000; Path=\/cas; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect((await http('GET', sso.url, '/login')).headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['locale=de', '', 'de'],
    ['TGC=x; locale=DE', '', 'de'],
    ['locale=de', '?locale=es', 'es'],
    ['locale=xx', '', 'fr'],
    ['xlocale=de', '', 'fr'],
    ['locale=__proto__; locale=<b>', '', 'fr'],
  ])('with the cookies %j and %j is %s', async (cookie, query, locale) => {
    const headers = { cookie, 'accept-language': 'fr' };
    const reply = await http('GET', sso.url, `/login${query}`, { headers });
    expect(reply.headers['content-language']).toBe(locale);
  });

  test('can be chosen by links that keep the application', async () => {
    expect(await page(loginPath(APP))).toContain(
      'href="?service=https%3A%2F%2Fapp.example.org%2F&amp;locale=de"',
    );
  });
});

describe('the directory of overrides', () => {
  test('replaces a template, a file and a text', async () => {
    expect(await page('/logout')).toBe('<p>bye from Tessera</p>');
    expect(await page('/assets/logo.svg')).toContain('<svg');
    expect(await page('/login')).toContain('<h1>Welcome &lt;b&gt;</h1>');
  });

  test('leaves the other files as they are', async () => {
    const { status, headers } = await http('GET', sso.url, '/assets/style.css');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    const again = await http('GET', sso.url, '/assets/style.css', {
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect(again.status).toBe(304);
  });

  test.each([
    '/assets/../views/layout.liquid',
    '/assets/%2e%2e/views/layout.liquid',
    '/assets/',
    '/assets/.env',
    '/assets/none.css',
  ])('serves nothing at %s', async (path) =>
    expect((await http('GET', sso.url, path)).status).toBe(404),
  );
});

describe('settings', () => {
  test('change name, logo, colour and footer without a restart', async () => {
    await sso.reconfigure({
      'sso.theme.name': 'Example & Co',
      'sso.theme.logo': 'logo.svg',
      'sso.theme.accent-color': '#FFD400',
      'sso.theme.footer': 'Help: <1234>',
    });
    const body = await page('/login');
    expect(body).toContain('<title>Welcome &lt;b&gt; · Example &amp; Co</title>');
    expect(body).toContain('<img src="/cas/assets/logo.svg" alt="">');
    expect(body).toContain('<p>Help: &lt;1234&gt;</p>');
    expect(await page('/assets/theme.css')).toMatch(
      /^:root\{--accent:#ffd400;--on-accent:#000000;--link:#[0-9a-f]{6}\}\n@media\(prefers-color-scheme:dark\)\{:root\{--link:#ffd400\}\}\n$/,
    );
    await sso.reconfigure({ 'sso.theme.logo': 'https://static.example.org/a.png' });
    const { headers } = await http('GET', sso.url, '/login');
    expect(headers['content-security-policy']).toContain(
      "img-src 'self' https://static.example.org;",
    );
    expect(await page('/assets/theme.css')).toContain(
      ':root{--accent:#3346d3;--on-accent:#ffffff;--link:#3346d3}',
    );
  });

  test('add links below the login form and at the end of each page', async () => {
    await sso.reconfigure({
      'sso.theme.links.password': 'https://id.example.org/?a="b"&c',
      'sso.theme.links.help': 'mailto:help@example.org',
      'sso.theme.links.imprint': 'http://example.org/imprint',
    });
    const body = await page('/login?locale=en');
    expect(body).toContain(
      '<li><a href="mailto:help@example.org">Help</a></li>\n' +
        '<li><a href="http://example.org/imprint">Imprint</a></li>',
    );
    expect(body).toContain(
      '<p><a href="https://id.example.org/?a=&#34;b&#34;&amp;c">Forgot or change your password?</a></p>',
    );
    expect(await page('/nowhere', { accept: 'text/html' })).toContain('>Imprint</a>');
  });

  test.each(['POST', 'TRACE'])('%s of the style sheet is refused', async (method) => {
    const { status, headers } = await http(method, sso.url, '/assets/theme.css');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test.each([
    ['sso.theme.accent-color', 'red'],
    ['sso.theme.accent-color', '#fff;}body{'],
    ['sso.theme.logo', 'http://a/b.png'],
    ['sso.theme.logo', '../logo.svg'],
    ['sso.theme.logo', 'javascript:alert(1)'],
    ['sso.theme.name', 'x'.repeat(501)],
    ['sso.theme.links.help', 'javascript:alert(1)'],
    ['sso.theme.links.password', '/password'],
  ])('refuse %s=%s', async (key, value) => {
    const outcome = await sso.reconfigure({ [key]: value });
    expect(JSON.stringify(outcome)).toContain(key);
  });
});

test.each(['missing', 'public/logo.svg'])(
  'a directory that is none ends the start: %s',
  async (name) => {
    const directory = join(folder, name);
    await expect(startSso({ settings: [`--sso.theme.directory=${directory}`] })).rejects.toThrow(
      `sso.theme.directory: ${directory} is no directory`,
    );
  },
);
