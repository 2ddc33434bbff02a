// Back-channel messages of single logout: who is told, what the message says, and what ends a session.
// @see CAS 3.0 §2.3.3
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { ServiceStore } from '@tessera/services';
import { Browser, GOOD, loginPath, ticketIn } from '../support/browser.js';
import { type LogoutEvent, logoutEvents } from '../../apps/sso/src/logout/logout-events.js';
import { http } from '../support/http.js';
import { answer, hang, LogoutReceiver, sessionIndexIn } from '../support/logout-receiver.js';
import { startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

let receiver: LogoutReceiver;
let sso: Sso;
/** What was published for those who count. */
const published: LogoutEvent[] = [];
let endSubscription: () => void;
/** A path of the receiver that no other test uses. */
let path: string;
let count = 0;

const urlOf = (name: string): string => `${receiver.url}${name}`;

beforeAll(async () => {
  endSubscription = logoutEvents.subscribe((event) => published.push(event));
  receiver = await LogoutReceiver.start();
  const at = (name: string): string => `^${receiver.url.replaceAll('.', '\\.')}/${name}.*`;
  sso = await startSso({
    settings: [
      '--sso.authentication.static.users=casuser::Mellon,<&>::Mellon',
      '--sso.outgoing.allowed-addresses=127.0.0.1',
    ],
    services: [
      { serviceId: at('back'), name: 'back', logoutType: 'back' },
      { serviceId: at('none'), name: 'none', evaluationOrder: 1 },
      {
        serviceId: at('several'),
        name: 'several',
        logoutType: 'back',
        logoutUrl: `${urlOf('/one?ids=1,2')}, ${urlOf('/two')},${urlOf('/refusing')}`,
      },
      {
        serviceId: at('anonymous'),
        name: 'anonymous',
        logoutType: 'back',
        usernameAttribute: { kind: 'anonymous' },
      },
      {
        serviceId: at('forbidden'),
        name: 'forbidden',
        logoutType: 'back',
        logoutUrl: receiver.url.replace('127.0.0.1', '127.0.0.2'),
      },
      { serviceId: at('later-disabled'), name: 'later disabled', logoutType: 'back' },
      { serviceId: at('later-removed'), name: 'later removed', logoutType: 'back' },
    ],
  });
});
beforeEach(() => {
  count += 1;
  path = `/back-${count}`;
});
afterAll(async () => {
  endSubscription();
  await sso?.close();
  await receiver?.stop();
});

/** Signs in to a service. @returns the validated ticket */
async function signIn(tgt: string, service: string): Promise<string> {
  const ticket = await sso.grant(tgt, service);
  const { status } = await validate(sso, '/p3/serviceValidate', { service, ticket });
  expect(status).toBe(200);
  return ticket;
}

const toldTo = (name: string): Promise<string> =>
  until(`a message to ${name}`, () => receiver.messagesTo(name)[0]);

const endOf = (tgt: string): Promise<unknown> => http('DELETE', sso.url, `/v1/tickets/${tgt}`);

describe('the message', () => {
  test('is a LogoutRequest in a form, with the user and the ticket', async () => {
    const tgt = await sso.login();
    const ticket = await signIn(tgt, urlOf(path));
    const before = Date.now();
    await endOf(tgt);
    const message = await toldTo(path);
    const [, id, time = ''] = /ID="([^"]*)" .* IssueInstant="([^"]*)"/.exec(message) ?? [];
    expect(id).toMatch(/^LR-[0-9a-f]{32}$/);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(time) - before)).toBeLessThan(60_000);
    expect(message).toBe(
      `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${time}">` +
        '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">casuser</saml:NameID>' +
        `<samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`,
    );
    const { method, headers } = receiver.received.find((each) => each.path === path) ?? {};
    expect(method).toBe('POST');
    expect(headers).toEqual({
      host: new URL(receiver.url).host,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': expect.stringMatching(/^\d+$/),
      connection: 'close',
    });
  });

  test('escapes the user name', async () => {
    const tgt = await sso.login('<&>');
    await signIn(tgt, urlOf(path));
    await endOf(tgt);
    expect(await toldTo(path)).toContain('>&lt;&amp;&gt;</saml:NameID>');
  });

  test('names the pseudonym of a service that knows its users by one', async () => {
    const service = urlOf('/anonymous');
    const tgt = await sso.login();
    const ticket = await sso.grant(tgt, service);
    const { body } = await validate(sso, '/serviceValidate', { service, ticket });
    const user = /<cas:user>([^<]*)</.exec(body)?.[1] ?? '';
    await endOf(tgt);
    const message = await toldTo('/anonymous');
    expect(message).toContain(`>${user}</saml:NameID>`);
    expect(message).not.toContain('casuser');
  });
});

test('each logout URL of a service gets one message, whatever another one answers', async () => {
  receiver.behave('/refusing', answer(500));
  const tgt = await sso.login();
  const ticket = await signIn(tgt, urlOf('/several'));
  await endOf(tgt);
  const told = await Promise.all(['/one?ids=1,2', '/two', '/refusing'].map(toldTo));
  expect(told.map(sessionIndexIn)).toEqual([ticket, ticket, ticket]);
  const id = /ID="([^"]*)"/.exec(told[0] ?? '')?.[1];
  const waiting = await until('one waits to be told again', () =>
    sso.database.dataSource
      .query<object[]>(
        `select id, url_index as url from logout_message where attempts > 0 and ticket = '${ticket}'`,
      )
      .then((rows) => rows.length > 0 && rows),
  );
  expect(waiting).toEqual([{ id: `${id}-3`, url: 2 }]);
  expect(receiver.messagesTo('/one?ids=1,2')).toHaveLength(1);
  expect(receiver.messagesTo('/two')).toHaveLength(1);
});

describe('told are', () => {
  test('all services of the session, and each ticket of one', async () => {
    const tgt = await sso.login();
    const tickets = [
      await signIn(tgt, urlOf(path)),
      await signIn(tgt, urlOf(path)),
      await signIn(tgt, urlOf(`${path}/other`)),
    ];
    await endOf(tgt);
    const paths = [path, `${path}/other`];
    const told = await until('three messages', () => {
      const messages = paths.flatMap((each) => receiver.messagesTo(each));
      return messages.length === 3 && messages.map(sessionIndexIn);
    });
    expect(told.toSorted()).toEqual(tickets.toSorted());
  });

  test('a service that was disabled since, and not one that was removed', async () => {
    const tgt = await sso.login();
    const ticket = await signIn(tgt, urlOf('/later-disabled'));
    await signIn(tgt, urlOf('/later-removed'));
    const services = poolOf(sso.database.dataSource);
    await services.query(
      `update registered_service set enabled = false where name = 'later disabled'`,
    );
    await services.query(`delete from registered_service where name = 'later removed'`);
    await sso.refreshServices();
    await endOf(tgt);
    expect(sessionIndexIn(await toldTo('/later-disabled'))).toBe(ticket);
    await until('the other message is dropped', async () => {
      const { rowCount } = await services.query(
        `select from logout_message where service like '%/later-%'`,
      );
      return rowCount === 0;
    });
    expect(receiver.messagesTo('/later-removed')).toEqual([]);
  });

  test('not one with logout type none', async () => {
    const tgt = await sso.login();
    await signIn(tgt, urlOf('/none'));
    const told = await signIn(tgt, urlOf(path));
    await endOf(tgt);
    expect(sessionIndexIn(await toldTo(path))).toBe(told);
    expect(receiver.messagesTo('/none')).toEqual([]);
  });
});

describe('a session ends by', () => {
  const browserWith = async (service: string): Promise<readonly [Browser, string]> => {
    const browser = new Browser(sso.url);
    const ticket = ticketIn(await browser.login(loginPath(service)));
    await validate(sso, '/p3/serviceValidate', { service, ticket });
    return [browser, ticket] as const;
  };
  const sql = (text: string): Promise<unknown> => poolOf(sso.database.dataSource).query(text);

  test.each<[string, (browser: Browser, other: Browser) => Promise<unknown>]>([
    ['the logout', (browser) => browser.get('/logout')],
    [
      'the login of another user',
      (browser) => browser.login('/login?renew=true', { username: '<&>', password: 'Mellon' }),
    ],
    [
      'a login that is to be remembered',
      (browser) => browser.login('/login?renew=true', { ...GOOD, rememberMe: 'true' }),
    ],
    [
      'another session of the user',
      (_, other) => other.post('/login/sessions', {}, { 'sec-fetch-site': 'same-origin' }),
    ],
    [
      'its expiry',
      () => sql(`update ticket_granting_ticket set expires_at = now() - interval '1 second'`),
    ],
  ])('%s', async (_, end) => {
    const [browser, ticket] = await browserWith(urlOf(path));
    const other = new Browser(sso.url);
    await other.login();
    await end(browser, other);
    expect(sessionIndexIn(await toldTo(path))).toBe(ticket);
  });
});

test('an application that does not answer delays no other, and is called four times at once', async () => {
  const dead = await LogoutReceiver.start();
  const calls = 40;
  const paths = Array.from({ length: calls }, (_, index) => `/dead-${index}`);
  for (const each of paths) dead.behave(each, hang);
  await ServiceStore.of(sso.database.dataSource).add({
    serviceId: `^${dead.url.replaceAll('.', '\\.')}/.*`,
    name: 'dead',
    logoutType: 'back',
  });
  await sso.refreshServices();
  try {
    const tgt = await sso.login();
    for (const each of paths) await signIn(tgt, dead.url + each);
    await endOf(tgt);
    await until('four calls hang', () => dead.received.length === 4);
    const other = await sso.login();
    const ticket = await signIn(other, urlOf(path));
    await endOf(other);
    expect(sessionIndexIn(await toldTo(path))).toBe(ticket);
    expect(dead.received).toHaveLength(4);
    const attempted = (condition: string) =>
      sso.database.dataSource
        .query<object[]>(
          `select from logout_message where service like '${dead.url}/%' and ${condition}`,
        )
        .then((rows) => rows.length);
    await until(
      'the others fail without a call',
      async () => (await attempted('attempts = 1')) === calls,
    );
    expect(dead.received).toHaveLength(4);
    expect(await attempted(`last_error = 'It did not answer in time'`)).toBe(calls);
  } finally {
    await dead.stop();
  }
});

test('a logout URL with an address that is not allowed is not called', async () => {
  const tgt = await sso.login();
  await signIn(tgt, urlOf('/forbidden'));
  await endOf(tgt);
  const reason = await until('the message has failed', async () => {
    const { rows } = await poolOf(sso.database.dataSource).query<{ reason: string }>(
      'select last_error as reason from logout_message where service = $1',
      [urlOf('/forbidden')],
    );
    return rows[0]?.reason ?? undefined;
  });
  expect(reason).toBe('Its address is not allowed');
});

test('each outcome of a message is published, and the length of the queue', async () => {
  const all: readonly Partial<LogoutEvent>[] = [
    { type: 'sent', outcome: 'delivered' },
    { type: 'sent', outcome: 'retried' },
    { type: 'queue', failed: 0 },
  ];
  await until('all were published', () =>
    all.every((event) =>
      published.some((each) => JSON.stringify({ ...each, ...event }) === JSON.stringify(each)),
    ),
  );
});

test('no application gets a message where single logout is off', async () => {
  const off = await startSso({
    settings: ['--sso.logout.enabled=false'],
    services: [{ serviceId: '^https://back\\.example\\.org/', name: 'b', logoutType: 'back' }],
  });
  try {
    const service = 'https://back.example.org/';
    const tgt = await off.login();
    const ticket = await off.grant(tgt, service);
    await validate(off, '/serviceValidate', { service, ticket });
    const { rows } = await poolOf(off.database.dataSource).query('select from session_service');
    expect(rows).toEqual([]);
    expect((await http('DELETE', off.url, `/v1/tickets/${tgt}`)).status).toBe(200);
  } finally {
    await off.close();
  }
});
