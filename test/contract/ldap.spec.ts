// Users of a directory over REST: what a caller is told, whatever the directory does.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { PASSWORD, person } from '../support/ldap-people.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { APP, startSso, type Sso } from '../support/sso.js';

let slapd: Slapd;
let sso: Sso;

const login = (username: string, password: string) =>
  http('POST', sso.url, '/v1/tickets', { form: { username, password } });

describeWithSlapd('a login over REST with users in a directory', () => {
  beforeAll(async () => {
    slapd = await Slapd.start({ entries: [person('alice', { mail: 'alice@example.org' })] });
    sso = await startSso({
      settings: [
        '--sso.authentication.handlers=ldap',
        `--sso.authentication.ldap.urls=${slapd.url}`,
        `--sso.authentication.ldap.base-dn=${BASE}`,
        `--sso.authentication.ldap.bind-dn=${SERVICE_ACCOUNT.dn}`,
        `--sso.authentication.ldap.bind-password=${SERVICE_ACCOUNT.password}`,
      ],
    });
  });
  afterAll(async () => {
    await sso.close();
    await slapd.remove();
  });

  const REFUSED = {
    status: 400,
    body: '{"authentication_exceptions" : [ "FailedLoginException" ]}',
  };

  test.each([
    ['a wrong password', 'alice', 'wrong'],
    ['an unknown user', 'nobody', PASSWORD],
    ['a pattern', '*', PASSWORD],
    ['a filter', ')(uid=*', PASSWORD],
    ['an escape', '\\', PASSWORD],
  ])('is refused for %s', async (_what, username, password) => {
    expect(await login(username, password)).toMatchObject(REFUSED);
  });

  test('gives a session whose services get the mapped attributes', async () => {
    const tgt = await sso.login('ALICE', PASSWORD);
    const st = await sso.grant(tgt);
    const { body } = await http('GET', sso.url, `/p3/serviceValidate?service=${APP}&ticket=${st}`);
    expect(body).toContain('<cas:user>alice</cas:user>');
    expect(body).toContain('<cas:mail>alice@example.org</cas:mail>');
  });

  // Last: it takes the directory away.
  test('is answered 503 while the directory is unavailable, and as before afterwards', async () => {
    await slapd.stop();
    for (const password of [PASSWORD, 'wrong']) {
      const { status, headers, body } = await login('alice', password);
      expect({ status, body }).toEqual({ status: 503, body: 'Service temporarily unavailable' });
      expect(headers['retry-after']).toBe('2');
    }
    await slapd.restart();
    expect(await login('alice', 'wrong')).toMatchObject(REFUSED);
    expect(await login('alice', PASSWORD)).toMatchObject({ status: 201 });
  });
});
