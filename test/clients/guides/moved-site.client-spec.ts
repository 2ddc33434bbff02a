// Applications with ordinary clients after a move by `tessera migrate`: the server has their settings, services and directories.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PASSWORD } from '../../support/ldap-people.js';
import { MovedSite, serviceFile, STAFF_ONLY } from '../../support/moved-site.js';
import { oldServerSuite } from '../../support/old-server.js';
import { endPrograms } from '../../support/process.js';
import { describeWithSlapd } from '../../support/slapd.js';
import { until } from '../../support/until.js';
import { CookieBrowser, type Visit } from '../web/cookie-browser.js';
import { describeClient } from '../web/describe-client.js';
import { START_TIMEOUT_MS } from '../web/web-program.js';
import { FLASK, startFlask } from './flask.js';

/** The test applications are on this machine, without TLS. */
const OUTGOING = [
  '--sso.outgoing.allow-http=true',
  '--sso.outgoing.allowed-addresses=127.0.0.0/8,::1',
];

describeWithSlapd('a whole move', () => {
  describeClient('Flask and python-cas', FLASK, (installed) => {
    const old = oldServerSuite();
    let site: MovedSite;
    beforeAll(async () => {
      site = await MovedSite.open();
    });
    afterAll(async () => {
      await endPrograms();
      await site.close();
    });

    test(
      'users of both directories sign in, staff alone where that is required, and sign out of all',
      async () => {
        await site.move(old, {
          'portal-1.json': serviceFile(1, '^http://127\\.0\\.0\\.1:\\d+/.*'),
          'staff-2.json': serviceFile(2, '^http://localhost:\\d+/.*', STAFF_ONLY),
        });
        const server = await site.start(old, OUTGOING);
        const portal = await startFlask(server, installed());
        const staff = await startFlask(server, installed(), 'localhost');
        const signIn = (browser: CookieBrowser, username: string): Promise<Visit> =>
          browser.login(`${portal.url}/private`, { username, password: PASSWORD });
        const [alice, sam] = [new CookieBrowser(), new CookieBrowser()];

        expect(await signIn(alice, 'alice')).toMatchObject(page('alice'));
        expect(await signIn(sam, 'sam')).toMatchObject(page('sam'));
        expect(await alice.open(`${staff.url}/private`)).toMatchObject(page('alice'));
        const refused = await sam.open(`${staff.url}/private`);
        expect(refused.status).toBe(403);
        expect(refused.url.href).toContain(`${server}/login`);

        await alice.open(`${server}/logout`);
        for (const { url } of [portal, staff]) {
          await until('the application asks for the password', async () =>
            (await alice.open(`${url}/private`)).body.includes('name="password"'),
          );
        }
        expect(await sam.open(`${portal.url}/private`)).toMatchObject(page('sam'));
        await Promise.all([portal.stop(), staff.stop()]);
      },
      START_TIMEOUT_MS,
    );
  });
});

function page(user: string): object {
  return { status: 200, body: expect.stringContaining(`"mail":"${user}@example.org"`) };
}
