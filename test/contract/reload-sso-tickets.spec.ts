// Settings of the SSO on tickets and answers: each changes what callers see with the reload, and not before it, in both
// directions. Tickets keep the time they were given.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { expectEffect, TICKETS_AND_ANSWERS } from '../support/reload-effects.js';
import { ReloadableSso } from '../support/reloadable-sso.js';
import { APP } from '../support/sso.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

let server: ReloadableSso;

beforeAll(async () => {
  server = await ReloadableSso.start();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

describe('a reload changes', () => {
  test.each(TICKETS_AND_ANSWERS)('$rule', (effect) => expectEffect(server, effect));
});

describe('a reload leaves', () => {
  test('sessions and tickets the time they were given', async () => {
    await server.change({ 'sso.tickets.st.lifetime': '1h' });
    const tgt = await server.sso.login();
    const ticket = await server.sso.grant(tgt);
    await server.change({ 'sso.tickets.st.lifetime': '1s', 'sso.tickets.tgt.max-lifetime': '1s' });
    const short = await server.sso.login();
    await until('the new session has ended', async () => (await status(short)) === 404);
    expect(await status(tgt)).toBe(200);
    expect(await validate(server.sso, '/validate', { service: APP, ticket })).toMatchObject({
      status: 200,
      body: 'yes\ncasuser\n',
    });
  });

  async function status(ticket: string): Promise<number> {
    return (await http('GET', server.sso.url, `/v1/tickets/${ticket}`)).status;
  }
});
