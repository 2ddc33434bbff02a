// Users whose passwords have expired or must be changed first: they are told, but only those who know the password.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { http } from '../support/http.js';
import { PASSWORD, PASSWORD_POLICY } from '../support/ldap-people.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { startSso, type Sso } from '../support/sso.js';

const HELP = '<a href="https://id.example.org/">Forgot or change your password?</a>';

let slapd: Slapd;
let sso: Sso;

describeWithSlapd('a login with users of a directory', () => {
  beforeAll(async () => {
    slapd = await Slapd.start(PASSWORD_POLICY);
    sso = await startSso({
      settings: [
        '--sso.authentication.handlers=static,ldap',
        `--sso.authentication.ldap.urls=${slapd.url}`,
        `--sso.authentication.ldap.base-dn=${BASE}`,
        `--sso.authentication.ldap.bind-dn=${SERVICE_ACCOUNT.dn}`,
        `--sso.authentication.ldap.bind-password=${SERVICE_ACCOUNT.password}`,
        '--sso.theme.links.password=https://id.example.org/',
      ],
    });
  });
  afterAll(async () => {
    await sso.close();
    await slapd.remove();
  });

  test.each([
    ['a locked account', 'locked', PASSWORD, 'FailedLoginException', /is not correct\./],
    [
      'an expired password',
      'expired',
      PASSWORD,
      'CredentialExpiredException',
      /has expired\. Change/,
    ],
    [
      'a password to be changed',
      'reset',
      PASSWORD,
      'AccountPasswordMustChangeException',
      /Change your password before/,
    ],
    // Last: two wrong passwords lock an account.
    ['a wrong password', 'expired', 'wrong', 'FailedLoginException', /is not correct\./],
    ['a wrong one, to be changed', 'reset', 'wrong', 'FailedLoginException', /is not correct\./],
  ])('is refused for %s, and says so', async (_, username, password, exception, text) => {
    const form = { username, password };
    expect(await http('POST', sso.url, '/v1/tickets', { form })).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/json;charset=UTF-8' },
      body: `{"authentication_exceptions" : [ "${exception}" ]}`,
    });
    const page = await new Browser(sso.url).login('/login', form);
    expect(page.status).toBe(401);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.body).toMatch(text);
    expect(page.body).toContain(HELP);
    expect(page.body).not.toContain(password);
  });
});
