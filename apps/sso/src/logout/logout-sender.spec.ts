import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { type RegisteredService, SERVICE_DEFAULTS } from '@tessera/services';
import type { TakenLogoutMessage } from '@tessera/tickets';
import { until } from '../../../../test/support/until.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import { type LogoutProtocol, LogoutProtocols } from './logout-protocols.js';
import { LogoutSender } from './logout-sender.js';

const MAX_CALLS = 128;
const SERVICE = { ...SERVICE_DEFAULTS, id: '7', pseudonymSalt: '' } as RegisteredService;
/** Of each message it tells two URLs. */
const PROTOCOL: LogoutProtocol = {
  targetsOf: ({ application }) =>
    ['1', '2'].map((url) => ({
      service: SERVICE,
      url: `https://${application}-${url}.example.org/`,
    })),
  formOf: ({ sessionIndex }) => Promise.resolve({ token: `signed ${sessionIndex}` }),
  accepts: (status) => status === 200,
  frontChannelCalls: () => [],
};

let calls: unknown[][];
let answers: ((status: number) => void)[];
let protocols: LogoutProtocols;
let sender: LogoutSender;

beforeEach(() => {
  calls = [];
  answers = [];
  const client = {
    postForm: (url: string, form: object) => {
      calls.push([url, form]);
      const { promise, resolve } = Promise.withResolvers<number>();
      answers.push(resolve);
      return promise;
    },
  };
  protocols = new LogoutProtocols();
  protocols.register('cas', PROTOCOL);
  sender = new LogoutSender(
    protocols,
    Object.assign(Object.create(OutgoingClient.prototype) as OutgoingClient, client),
  );
});

const MESSAGE = {
  id: 'LR-1',
  principal: 'ann',
  protocol: 'cas',
  application: 'a',
  sessionIndex: 'ST-1',
  endedAt: new Date(),
  urlIndex: 0,
  failures: 0,
} as const;

function send(group: string, change: Partial<TakenLogoutMessage> = {}): Promise<unknown> {
  return sender.send({ ...MESSAGE, group, ...change }, new AbortController().signal);
}

test.each<[string, (index: number) => string, string]>([
  ['application, whatever the hosts', (index) => `1 host-${index}`, '1 another'],
  ['host, whatever the applications', (index) => `${index} host`, 'another host'],
])('leaves calls for others where very many are under way of one %s', async (_, groupOf, one) => {
  const others = Array.from({ length: MAX_CALLS }, (__, index) => send(groupOf(index)));
  expect(await send(one)).toMatchObject({ code: 'NO_ANSWER' });
  const other = send('2000 elsewhere');
  await until('all are called', () => answers.length > MAX_CALLS);
  expect(answers).toHaveLength(MAX_CALLS + 1);
  for (const answer of answers) answer(200);
  expect(await Promise.all([...others, other])).toEqual(
    others.concat(other).map(() => 'delivered'),
  );
  const next = send(one);
  await until('it is called', () => answers.length > MAX_CALLS + 1);
  answers.at(-1)?.(200);
  expect(await next).toBe('delivered');
});

describe('a message of another protocol', () => {
  const written: string[] = [];

  beforeEach(() => {
    written.length = 0;
    const write = (line: string) => written.push(line);
    configureLogging({ application: 'test', levels: { root: 'warn' }, write });
  });
  afterEach(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

  test('has the targets and the form of that protocol', async () => {
    protocols.register('oidc', { ...PROTOCOL, formOf: () => ({ logout_token: 'x' }) });
    const message = { ...MESSAGE, protocol: 'oidc', application: 'wiki' } as const;
    expect(sender.groupsOf(message)).toEqual(['7 wiki-1.example.org', '7 wiki-2.example.org']);
    const sent = send('7 wiki-2.example.org', { ...message, urlIndex: 1 });
    await until('it is called', () => answers.length > 0);
    answers[0]?.(200);
    expect(await sent).toBe('delivered');
    expect(calls).toEqual([['https://wiki-2.example.org/', { logout_token: 'x' }]]);
    expect(written).toEqual([]);
  });

  test('is dropped with a log line where no module has registered it', async () => {
    const message = { ...MESSAGE, protocol: 'oidc', application: 'wiki' } as const;
    expect(sender.groupsOf(message)).toEqual([]);
    expect(await send('7 wiki.example.org', message)).toBe('dropped');
    expect(calls).toEqual([]);
    const lines = written.map((line) => JSON.parse(line) as object);
    expect(lines).toEqual(
      Array(2).fill(
        expect.objectContaining({
          service: 'wiki',
          protocol: 'oidc',
          msg: 'a logout message is dropped: no module of its protocol runs here',
        }),
      ),
    );
    expect(written.join('')).not.toContain('ST-1');
  });

  test('waits where it cannot be rendered', async () => {
    protocols.register('oidc', { ...PROTOCOL, formOf: () => Promise.reject(new Error('no key')) });
    await expect(send('7 wiki-1.example.org', { protocol: 'oidc' })).rejects.toThrow('no key');
    expect(calls).toEqual([]);
  });
});
