// Settings whose reload callers of the SSO can observe, shared by several specs.
import { expect } from '@jest/globals';
import type { ReloadableSso, Settings } from './reloadable-sso.js';
import { newTicket, validate } from './validation.js';

export interface Effect {
  readonly rule: string;
  readonly settings: (server: ReloadableSso) => Settings;
  /** What a caller observes. */
  readonly seen: (server: ReloadableSso) => Promise<unknown>;
  /** Observed with the start settings. */
  readonly before: unknown;
  readonly after: unknown;
}

const HOUR = 3_600;

export const TICKETS_AND_ANSWERS: readonly Effect[] = [
  {
    rule: 'the dialect of REST',
    settings: () => ({ 'sso.dialect': 'apereo' }),
    seen: (server) => server.login('ann', 'wrong'),
    before: 400,
    after: 401,
  },
  {
    rule: 'the dialect of validation',
    settings: () => ({ 'sso.dialect': 'apereo' }),
    seen: async ({ sso }) =>
      (await validate(sso, '/serviceValidate', { service: 'https://x', ticket: 'ST-1' })).status,
    before: 400,
    after: 200,
  },
  {
    rule: 'attributes at the CAS 2 endpoints',
    settings: () => ({ 'sso.validation.cas2-attributes': false }),
    seen: async (server) => [
      await server.releasedMail('/serviceValidate'),
      await server.releasedMail('/p3/serviceValidate'),
    ],
    before: ['c@example.org', 'c@example.org'],
    after: ['none', 'c@example.org'],
  },
  {
    rule: 'how long sessions live at most, and unused',
    settings: () => ({
      'sso.tickets.tgt.idle-timeout': '5m',
      'sso.tickets.tgt.max-lifetime': '10m',
    }),
    seen: lifetimes,
    before: [8 * HOUR, 2 * HOUR, 10],
    after: [600, 300, 10],
  },
  {
    rule: 'how long service tickets live',
    settings: () => ({ 'sso.tickets.st.lifetime': '25s' }),
    seen: lifetimes,
    before: [8 * HOUR, 2 * HOUR, 10],
    after: [8 * HOUR, 2 * HOUR, 25],
  },
];

export const THROTTLE: Effect = {
  rule: 'whether logins are throttled',
  settings: () => ({ 'sso.throttle.rest.enabled': true, 'sso.throttle.rest.threshold': 2 }),
  seen: (server) => server.failedLogins(4),
  before: [400, 400, 400, 400],
  after: [400, 400, 429, 429],
};

/** Checks that the change is observed after a reload and not before it, in both directions. */
export async function expectEffect(server: ReloadableSso, effect: Effect): Promise<void> {
  const { before, after } = effect;
  const settings = effect.settings(server);
  const changed = Object.keys(settings);
  const observe = (): Promise<unknown> => effect.seen(server);
  expect(await observe()).toEqual(before);
  await server.sso.writeSettings(
    'sso.yml',
    JSON.stringify({ ...server.startSettings, ...settings }),
  );
  expect(await observe()).toEqual(before);
  expect(await server.sso.reload()).toEqual({ changed, restart: [] });
  expect(await observe()).toEqual(after);
  expect(await server.change({})).toEqual({ changed, restart: [] });
  expect(await observe()).toEqual(before);
}

/** Lifetimes of the tickets of a new login, in seconds. */
async function lifetimes({ sso }: ReloadableSso): Promise<readonly number[]> {
  await newTicket(sso);
  const [row] = await sso.database.dataSource.query<readonly { seconds: readonly number[] }[]>(`
    select array[
      extract(epoch from s.hard_expires_at - s.created_at),
      extract(epoch from s.expires_at - s.last_used_at),
      (select extract(epoch from t.expires_at - s.last_used_at) from (
        select * from service_ticket_0 union all select * from service_ticket_1 union all
        select * from service_ticket_2 union all select * from service_ticket_3) t
        where t.session_id = s.id)]::float8[] as seconds
    from ticket_granting_ticket s order by created_at desc limit 1`);
  return row?.seconds ?? [];
}
