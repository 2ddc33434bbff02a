// The events of a node and of the command line in the audit trail, of each kind of action.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Browser, loginPath, ticketIn } from '../support/browser.js';
import { runTessera } from '../support/command-line.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { Program } from '../support/process.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

interface Line {
  readonly action: string;
  readonly outcome: string;
  readonly reason?: string;
  readonly principal?: string;
  readonly service?: string;
  readonly session?: string;
  readonly clientAddress?: string;
  readonly requestId?: string;
}

const UNKNOWN = 'https://unknown.example.org/?secret=1';

let receiver: LogoutReceiver;
let sso: Sso;

beforeAll(async () => {
  receiver = await LogoutReceiver.start();
  sso = await startSso({
    settings: ['--sso.outgoing.allowed-addresses=127.0.0.1'],
    files: { 'sso.yml': 'audit.tickets: true' },
    services: [
      {
        serviceId: `^${receiver.url.replaceAll('.', '\\.')}/.*`,
        name: 'application',
        logoutType: 'back',
      },
    ],
  });
});
afterAll(async () => {
  await sso?.close();
  await receiver?.stop();
});

async function search(...options: readonly string[]): Promise<readonly Line[]> {
  const { stdout, stderr } = await runTessera([
    'audit',
    '--json',
    ...options,
    `--database.url=${sso.database.url}`,
  ]);
  expect(stderr).toBe('');
  expect(stdout).not.toMatch(/(?:TGT|ST|PGT)-[A-Za-z0-9]{8}|Mellon|secret/);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

const inShort = ({ action, outcome, principal, reason }: Line): string =>
  [action, outcome, principal, reason].filter(Boolean).join(' ');

/** Waits for so many events. */
const events = (count: number, ...options: readonly string[]): Promise<readonly Line[]> =>
  until(`${count} events`, async () => {
    const found = await search(...options);
    return found.length >= count && found;
  });

test('a login, a ticket that is used twice, and a logout that the application is told of', async () => {
  const service = `${receiver.url}/app?secret=1`;
  const tgt = await sso.login();
  const ticket = await sso.grant(tgt, service);
  await validate(sso, '/p3/serviceValidate', { service, ticket });
  await validate(sso, '/p3/serviceValidate', { service, ticket });
  await sso.grant(tgt, 'https://unknown.example.org/').catch(() => {});
  await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
  await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
  const found = await events(7);
  expect(found.map(inShort)).toEqual([
    'LOGIN success casuser',
    'GRANT_TICKET success casuser',
    'VALIDATE_TICKET success casuser',
    'VALIDATE_TICKET failure INVALID_TICKET',
    'GRANT_TICKET failure casuser SERVICE_NOT_AUTHORIZED',
    'LOGOUT success casuser',
    'SEND_LOGOUT_MESSAGE success casuser',
  ]);
  const [login, grant, validation] = found;
  for (const each of [login, grant, validation]) {
    expect(each).toMatchObject({
      clientAddress: '127.0.0.1',
      requestId: expect.stringMatching(/^[A-Za-z0-9]{10}-\d+$/),
    });
  }
  expect(grant).toMatchObject({
    service: `${receiver.url}/app`,
    session: `TGT-…${tgt.slice(-4)}`,
  });
});

test('logins that are refused, in a browser too', async () => {
  const before = (await search()).length;
  await http('POST', sso.url, '/v1/tickets', { form: { username: 'ann', password: 'secret' } });
  const browser = new Browser(sso.url);
  await browser.login('/login', { username: 'bob', password: 'secret' });
  ticketIn(await browser.login(loginPath(`${receiver.url}/app`)));
  for (const each of [browser, new Browser(sso.url)]) await each.get(loginPath(UNKNOWN));
  await events(before + 6);
  expect((await search('--outcome', 'failure', '--action', 'LOGIN')).map(inShort)).toEqual([
    'LOGIN failure ann CREDENTIALS_REFUSED',
    'LOGIN failure bob CREDENTIALS_REFUSED',
  ]);
  const refused = ['--service', 'https://unknown.example.org/', '--outcome', 'failure'];
  expect((await search(...refused)).slice(-2).map(inShort)).toEqual([
    'GRANT_TICKET failure casuser SERVICE_NOT_AUTHORIZED',
    'GRANT_TICKET failure SERVICE_NOT_AUTHORIZED',
  ]);
});

test('what happens while the database is unavailable, once it is back', async () => {
  const before = (await search()).length;
  await sso.databaseProxy.set('refuse');
  const service = `${receiver.url}/app`;
  await validate(sso, '/serviceValidate', { service, ticket: `ST-0${'x'.repeat(22)}` });
  await sso.databaseProxy.set('open');
  const found = await events(before + 1);
  expect(found.slice(before).map(inShort)).toEqual(['VALIDATE_TICKET unknown ERROR']);
});

test('a follower shows new events alone, also after the database was away', async () => {
  await events(1);
  const follower = Program.start('cli', [
    'audit',
    '--follow',
    '--limit=1',
    `--database.url=${sso.databaseProxy.url}`,
  ]);
  await follower.waitForOutput(/ on sso\//);
  const logIn = (username: string) =>
    http('POST', sso.url, '/v1/tickets', { form: { username, password: 'secret' } });
  await logIn('first');
  await follower.waitForOutput(/LOGIN failure by first /);
  await sso.databaseProxy.set('refuse');
  const notice = 'tessera: the database is not available: waiting\n';
  await until('the notice', () => follower.stderr.endsWith(notice));
  await sso.databaseProxy.set('open');
  await until('the login', async () => (await logIn('second')).status === 400);
  await follower.waitForOutput(/LOGIN failure by second /);
  const shown = follower.stdout.trimEnd().split('\n');
  const times = shown.map((line) => line.slice(0, 24));
  expect(times).toEqual(times.toSorted());
  expect(shown.filter((line) => line.includes('by first'))).toHaveLength(1);
  await follower.stop();
});

test('a login that is throttled, and a reload that is requested', async () => {
  const token = 'token-of-the-audit-spec-0123456789';
  const node = await startSso({
    settings: [
      '--sso.throttle.rest.enabled=true',
      '--sso.throttle.rest.threshold=2',
      `--sso.management.token=${token}`,
    ],
  });
  const form = { username: 'ann', password: 'secret' };
  for (let login = 0; login < 3; login += 1) {
    await http('POST', node.url, '/v1/tickets', { form });
  }
  const headers = { authorization: `Bearer ${token}` };
  expect((await http('POST', node.url, '/actuator/refresh', { headers })).status).toBe(200);
  const found = await until('the events', async () => {
    const url = `--database.url=${node.database.url}`;
    const { stdout } = await runTessera(['audit', '--json', url]);
    return stdout.includes('REQUEST_RELOAD') && stdout.trimEnd().split('\n');
  });
  await node.close();
  const lines = found.slice(-2).map((line) => JSON.parse(line) as Line);
  expect(lines.map(inShort)).toEqual([
    'LOGIN failure ann AUTHENTICATION_THROTTLED',
    'REQUEST_RELOAD success',
  ]);
  expect(found.join()).not.toContain(token);
});

test('an import of service files at the start', async () => {
  const folder = await makeFolder();
  const file = {
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: '^https://i/.*',
  };
  await writeFile(join(folder, 'imported-1.json'), JSON.stringify({ ...file, name: 'i', id: 1 }));
  const importing = await startSso({ settings: [`--sso.services.import=${folder}`] });
  const imports = async (): Promise<readonly Line[]> => {
    const url = `--database.url=${importing.database.url}`;
    const { stdout } = await runTessera(['audit', '--json', '--action', 'IMPORT_SERVICES', url]);
    return stdout === '' ? [] : [JSON.parse(stdout) as Line];
  };
  await until('the event', async () => (await imports()).length > 0);
  const [found] = await imports();
  expect(found).toMatchObject({ subject: folder, details: { done: '1 added' } });
  expect(found?.principal).toBeUndefined();
  await importing.close();
  await removeFolder(folder);
});

test('settings that change, by their keys, and of tickets only the refused ones where that is switched off', async () => {
  const before = (await search()).length;
  await sso.reconfigure({ 'audit.tickets': false });
  const tgt = await sso.login();
  await sso.grant(tgt, `${receiver.url}/app`);
  await http('POST', sso.url, `/v1/tickets/${tgt}`, { form: { service: UNKNOWN } });
  const found = await events(before + 3);
  expect(found.slice(before).map(inShort)).toEqual([
    'RELOAD_SETTINGS success',
    'LOGIN success casuser',
    'GRANT_TICKET failure casuser SERVICE_NOT_AUTHORIZED',
  ]);
  expect(found[before]).toMatchObject({ details: { changed: ['audit.tickets'] } });
});

test('the change that switches the audit trail off, and the one that switches it on again', async () => {
  const before = (await search()).length;
  await sso.reconfigure({ 'audit.enabled': false });
  await sso.login();
  await sso.reconfigure({ 'audit.enabled': true });
  const found = (await events(before + 2)).slice(before);
  expect(found.map(inShort)).toEqual(['RELOAD_SETTINGS success', 'RELOAD_SETTINGS success']);
});
