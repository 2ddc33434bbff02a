import { expect, test } from '@jest/globals';
import type { Authentication } from '@tessera/tickets';
import { ThrottledError } from '@tessera/throttling';
import { loginEvents, publishedLogin, type LoginEvent } from './login-events.js';

const ACCEPTED: Authentication = {
  principal: { id: 'ann', attributes: {} },
  handler: 'accounts',
  credentialType: 'UsernamePasswordCredential',
  authenticatedAt: new Date(0),
  methods: [],
};

test.each<[string, () => Promise<Authentication | undefined>, Omit<LoginEvent, 'entryPoint'>]>([
  ['throttled', () => Promise.reject(new ThrottledError(1)), { outcome: 'throttled' }],
  [
    'that no store could decide',
    () => Promise.reject(new Error('the database is away')),
    { outcome: 'undecided' },
  ],
  ['refused', () => Promise.resolve(undefined), { outcome: 'refused' }],
  ['accepted', () => Promise.resolve(ACCEPTED), { outcome: 'accepted', handler: 'accounts' }],
])('publishes a login %s, without its user', async (_, login, event) => {
  const events: LoginEvent[] = [];
  const end = loginEvents.subscribe((each) => events.push(each));
  const before = login();
  const after = publishedLogin(before, 'rest');
  expect(after).toBe(before);
  await Promise.allSettled([after]);
  end();
  expect(events).toEqual([{ entryPoint: 'rest', ...event }]);
});
