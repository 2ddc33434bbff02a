// A reader of the whole database gets no session, no role and no ticket.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EnvelopeCipher, newKeyFile } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import { Browser, loginPath } from '../support/browser.js';
import { http } from '../support/http.js';
import { startOperatorApi, type OperatorApi } from '../support/operator-api.js';
import { APP, startSso } from '../support/sso.js';

const OPS = { username: 'ops', password: 'Mellon' };
const KEYS = ['2032', '2031'].map((id) => newKeyFile(id).trim());

describe('the database', () => {
  let api: OperatorApi;
  let browser: Browser;
  let console: string;
  /** All values of the dump as texts, in each spelling. */
  let values: readonly string[];
  /** All values of 32 bytes. */
  let keys: readonly Buffer[];

  beforeAll(async () => {
    api = await startOperatorApi();
    await api.call('POST', '/api/v1/users', { name: 'jane', password: 'Mellon' });
    browser = new Browser(api.sso.url);
    await browser.login('/login', { ...OPS, rememberMe: 'true' });
    await browser.get(loginPath(APP));
    console = await api.signIn('ops');
    await api.sso.grant(await api.sso.login('jane'));
    const dumped = await dump(api);
    values = [...new Set(dumped.flatMap(spellingsOf))];
    keys = dumped.filter((each) => Buffer.isBuffer(each)).filter(({ length }) => length === 32);
  });
  afterAll(() => api.close());

  /** What a text opens. */
  async function openedBy(text: string): Promise<readonly string[]> {
    const get = async (url: string, path: string, headers = {}): Promise<number> =>
      (await http('GET', url, path, { headers })).status;
    const { sso, url } = api;
    const me = '/api/v1/me';
    const name = 'tessera-operator-session';
    const opened = {
      console: (await get(url, me, { cookie: `${name}=${text}` })) !== 401,
      token: (await get(url, me, { authorization: `Bearer ${text}` })) === 200,
      cookie: (await get(sso.url, loginPath(APP), { cookie: `TGC=${text}` })) === 302,
      ticket: (await get(sso.url, `/v1/tickets/${encodeURIComponent(text)}`)) === 200,
    };
    return Object.entries(opened).flatMap(([what, isOpened]) => (isOpened ? [what] : []));
  }

  test('the credentials of the sessions open them, and are not in the database', async () => {
    const [, token = ''] = console.split('=');
    expect(await openedBy(token)).toEqual(['console']);
    expect(await openedBy(browser.cookie ?? '')).toEqual(['cookie']);
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter((each) => each === token || each === browser.cookie)).toEqual([]);
  });

  test('no value opens anything', async () => {
    const sendable = values.filter((each) => /^[\w.~+/=-]{20,200}$/.test(each));
    expect(sendable.length).toBeGreaterThan(20);
    for (const value of sendable) expect([value, await openedBy(value)]).toEqual([value, []]);
  });

  test('no session is made of a key and a value', async () => {
    const names = values.filter((each) => /^[0-9a-f]{64}$/.test(each));
    expect(names.length).toBeGreaterThan(2);
    const forged = keys.flatMap((key) =>
      names.flatMap((name) => [
        sealed(key, 'operator-session', ['session', name]),
        sealed(key, 'session-cookie', { tgt: name, warn: false }),
      ]),
    );
    for (const text of forged) expect(await openedBy(await text)).toEqual([]);
  });
});

test('a key that is new in front is used from the reload on, and one that is gone opens nothing', async () => {
  const [second = '', first = ''] = KEYS;
  const api = await startOperatorApi();
  const browser = new Browser(api.sso.url);
  const isSignedIn = async () => (await browser.get(loginPath(APP))).status === 302;
  try {
    await api.sso.reconfigure({ 'sso.login.keys': [first] });
    await browser.login('/login', OPS);
    expect(browser.cookie).toMatch(/^v1\.2031\./);
    await api.sso.reconfigure({ 'sso.login.keys': [second, first] });
    expect(await isSignedIn()).toBe(true);
    await api.sso.reconfigure({ 'sso.login.keys': [second] });
    expect(await isSignedIn()).toBe(false);
    await browser.login('/login', OPS);
    expect(browser.cookie).toMatch(/^v1\.2032\./);
  } finally {
    await api.close();
  }
});

test.each([
  ['dev', [], 0],
  ['staging', [], 1],
  ['staging', KEYS, 0],
] as const)(
  'in profile %s, the log warns where the key is in the database',
  async (profile, keys, count) => {
    const lines: string[] = [];
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
    const settings = [`--profiles.active=${profile}`, `--sso.login.keys=${keys.join(',')}`];
    const sso = await startSso({ settings });
    configureLogging({ application: 'test', levels: { root: 'warn' } });
    await sso.close();
    expect(lines.filter((line) => line.includes('set sso.login.keys'))).toHaveLength(count);
  },
);

/** As the server of before sealed cookies. */
function sealed(key: Buffer, purpose: string, content: unknown): Promise<string> {
  return new EnvelopeCipher(key, purpose).encrypt(Buffer.from(JSON.stringify(content)));
}

/** Every value of every row of every table, those in lists and in JSON one by one. */
async function dump({ sso: { database } }: OperatorApi): Promise<readonly unknown[]> {
  const tables: readonly { readonly name: string }[] = await database.dataSource.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => database.dataSource.query<readonly object[]>(`select * from ${name}`)),
  );
  return leavesOf(rows);
}

function leavesOf(value: unknown): readonly unknown[] {
  const isLeaf = typeof value !== 'object' || value === null || Buffer.isBuffer(value);
  return isLeaf ? [value] : Object.values(value).flatMap(leavesOf);
}

function spellingsOf(value: unknown): readonly string[] {
  if (!Buffer.isBuffer(value)) return [String(value)];
  return (['hex', 'base64', 'base64url'] as const).map((encoding) => value.toString(encoding));
}
