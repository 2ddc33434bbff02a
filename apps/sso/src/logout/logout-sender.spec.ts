import { beforeEach, expect, test } from '@jest/globals';
import { SERVICE_DEFAULTS, type ServiceRegistry } from '@tessera/services';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import { LogoutSender } from './logout-sender.js';

const MAX_CALLS = 128;
const SERVICE = { ...SERVICE_DEFAULTS, logoutType: 'back', attributeRelease: { kind: 'all' } };

let answers: ((status: number) => void)[];
let sender: LogoutSender;

beforeEach(() => {
  answers = [];
  const client = {
    postForm: () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      answers.push(resolve);
      return promise;
    },
  };
  const services = { match: () => SERVICE };
  sender = new LogoutSender(
    services as unknown as ServiceRegistry,
    Object.assign(Object.create(OutgoingClient.prototype) as OutgoingClient, client),
  );
});

function send(group: string): Promise<unknown> {
  const message = {
    id: 'LR-1',
    principal: 'ann',
    service: 'https://a.example.org/',
    ticket: 'ST-1',
    endedAt: new Date(),
    urlIndex: 0,
    group,
    failures: 0,
  };
  return sender.send(message, new AbortController().signal);
}

test.each<[string, (index: number) => string, string]>([
  ['application, whatever the hosts', (index) => `1 host-${index}`, '1 another'],
  ['host, whatever the applications', (index) => `${index} host`, 'another host'],
])('leaves calls for others where very many are under way of one %s', async (_, groupOf, one) => {
  const calls = Array.from({ length: MAX_CALLS }, (__, index) => send(groupOf(index)));
  expect(await send(one)).toMatchObject({ code: 'NO_ANSWER' });
  const other = send('2000 elsewhere');
  expect(answers).toHaveLength(MAX_CALLS + 1);
  for (const answer of answers) answer(200);
  expect(await Promise.all([...calls, other])).toEqual(calls.concat(other).map(() => 'delivered'));
  const next = send(one);
  answers.at(-1)?.(200);
  expect(await next).toBe('delivered');
});
