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

  const WRONG = { exception: 'FailedLoginException', text: /is not correct\./ };
  test.each([
    { what: 'a locked account', username: 'locked', password: PASSWORD, ...WRONG },
    {
      what: 'an expired password',
      username: 'expired',
      password: PASSWORD,
      exception: 'CredentialExpiredException',
      text: /has expired\. Change/,
    },
    {
      what: 'a password to be changed',
      username: 'reset',
      password: PASSWORD,
      exception: 'AccountPasswordMustChangeException',
      text: /Change your password before/,
    },
    // Last: two wrong passwords lock an account.
    { what: 'a wrong password', username: 'expired', password: 'wrong', ...WRONG },
    { what: 'a wrong one, to be changed', username: 'reset', password: 'wrong', ...WRONG },
  ])('is refused for $what, and says so', async ({ username, password, exception, text }) => {
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
