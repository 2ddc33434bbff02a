// A CAS application and one of another protocol in the same session: both are shown, and each is told of its end in its way.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SERVICE_DEFAULTS } from '@tessera/services';
import {
  type LogoutProtocol,
  LogoutProtocols,
} from '../../apps/sso/src/logout/logout-protocols.js';
import { Browser, loginPath, ticketIn } from '../support/browser.js';
import { LogoutReceiver, sessionIndexIn } from '../support/logout-receiver.js';
import { jsonOf, type OperatorApi, startOperatorApi } from '../support/operator-api.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

let receiver: LogoutReceiver;
let api: OperatorApi;
let wiki: string;
let news: string;

/** Registers the protocol, as a module does. */
const PROTOCOL = (): LogoutProtocol => ({
  targetsOf: ({ application }) => [
    {
      service: { ...SERVICE_DEFAULTS, id: '0', serviceId: '', name: '', pseudonymSalt: '' },
      url: `${receiver.url}/${application}`,
    },
  ],
  formOf: ({ principal, sessionIndex }) =>
    Promise.resolve({ logout_token: `${principal} ${sessionIndex}` }),
  accepts: (status) => status === 200,
  frontChannelCalls: (principal, { application, sessionIndexes }) =>
    sessionIndexes.map(
      (sid) => `https://${application}.example.org/out?sid=${sid}&user=${principal}`,
    ),
});

beforeAll(async () => {
  receiver = await LogoutReceiver.start();
  api = await startOperatorApi(['--sso.outgoing.allowed-addresses=127.0.0.1']);
  wiki = `${receiver.url}/wiki`;
  news = 'https://news.example.org/';
  const services = [
    { serviceId: `^${wiki}`, name: 'Wiki', logoutType: 'back', evaluationOrder: 1 },
    { serviceId: `^${news}`, name: 'News', logoutType: 'front', evaluationOrder: 1 },
  ];
  for (const each of services) {
    expect((await api.call('POST', '/api/v1/services', each)).status).toBe(201);
  }
  await api.sso.refreshServices();
  api.sso.application.get(LogoutProtocols, { strict: false }).register('oidc', PROTOCOL());
});
afterAll(async () => {
  await api?.close();
  await receiver?.stop();
});

/** Signs a browser in to the given services, and to an application `chat` of the other protocol. @returns the tickets */
async function signIn(
  browser: Browser,
  ...services: readonly string[]
): Promise<readonly string[]> {
  await browser.login('/login', { username: 'nobody', password: 'Mellon' });
  const tickets: string[] = [];
  for (const service of services) {
    const ticket = ticketIn(await browser.get(loginPath(service)));
    expect((await validate(api.sso, '/serviceValidate', { service, ticket })).status).toBe(200);
    tickets.push(ticket);
  }
  const { handle } = await sessionOf('nobody');
  for (const sessionIndex of ['s1', 's2', 's1']) {
    const chat = { protocol: 'oidc', application: 'chat', sessionIndex } as const;
    expect(await api.sso.tickets.recordApplication(handle, chat)).toBe(true);
  }
  return tickets;
}

const sessionOf = (principal: string) =>
  until('a session', async () => (await api.sso.tickets.sessions.list({ principal, limit: 1 }))[0]);

const formsTo = (path: string): readonly string[] =>
  receiver.received
    .filter((each) => each.path === path)
    .map(({ body }) => body)
    .toSorted();

test('the page of the session and the operator see both', async () => {
  const browser = new Browser(api.sso.url);
  await signIn(browser, wiki);
  const { body } = await browser.get('/login');
  const [, list] = /<h2>Your applications<\/h2>\n<ul>([^]*?)<\/ul>/.exec(body) ?? [];
  expect(list?.match(/<li>.*<\/li>/g)).toEqual([
    `<li>Wiki <small><bdi>${new URL(wiki).host}</bdi></small></li>`,
    '<li>chat</li>',
  ]);
  const { handle } = await sessionOf('nobody');
  expect(jsonOf(await api.call('GET', `/api/v1/sessions/${handle}`)).services).toEqual([
    { protocol: 'cas', service: wiki, tickets: 1 },
    { protocol: 'oidc', service: 'chat', tickets: 2 },
  ]);
  await browser.get('/logout');
});

test('each is told by the form of its protocol, and the browser calls each', async () => {
  const browser = new Browser(api.sso.url);
  const [ofWiki] = await signIn(browser, wiki, news);
  receiver.received.splice(0);
  const { body } = await browser.get('/logout');
  const frames = [...body.matchAll(/<iframe src="([^"]*)"/g)].map(([, src = '']) => src);
  expect(frames).toEqual([
    expect.stringMatching(/^https:\/\/news\.example\.org\/\?logoutRequest=/),
    'https://chat.example.org/out?sid=s1&amp;user=nobody',
    'https://chat.example.org/out?sid=s2&amp;user=nobody',
  ]);
  await until('all are told', () => receiver.received.length === 3);
  expect(formsTo('/chat')).toEqual(['logout_token=nobody+s1', 'logout_token=nobody+s2']);
  expect(receiver.messagesTo('/wiki').map(sessionIndexIn)).toEqual([ofWiki]);
});
