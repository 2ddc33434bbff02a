// Failed logins by the form are counted by default, and the page says when to try again.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser, loginPath } from '../support/browser.js';
import { DIALECTS } from '../support/dialects.js';
import { APP, startSso, type Sso } from '../support/sso.js';

describe.each(DIALECTS)('in dialect $dialect', ({ dialect, throttled }) => {
  let sso: Sso;
  beforeAll(async () => {
    sso = await startSso({ settings: [`--sso.dialect=${dialect}`] });
  });
  afterAll(() => sso.close());

  test('the eleventh failure of a name is refused, and so is its right password', async () => {
    const browser = new Browser(sso.url);
    const wrong = { username: 'casuser', password: 'wrong' };
    for (let turn = 0; turn < 10; turn += 1) {
      expect((await browser.login(loginPath(APP), wrong)).status).toBe(401);
    }
    for (const fields of [wrong, undefined]) {
      const reply = await browser.login(loginPath(APP), fields);
      expect([reply.status, reply.headers.location]).toEqual([throttled, undefined]);
      const seconds = String(reply.headers['retry-after']);
      expect(Number(seconds)).toBeGreaterThan(0);
      expect(reply.body).toContain(`Too many failed attempts. Try again in ${seconds} seconds.`);
      expect(reply.body).toContain('name="username" value="casuser"');
    }
  });

  test('other names and REST are not affected', async () => {
    const browser = new Browser(sso.url);
    const other = { username: 'nobody', password: 'wrong' };
    expect((await browser.login(loginPath(APP), other)).status).toBe(401);
    expect(await sso.login()).toMatch(/^TGT-/);
  });
});
