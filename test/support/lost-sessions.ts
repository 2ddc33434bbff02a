// How a browser loses its session while it is on its way back from the login page to an authorization request.
import type { CookieBrowser } from './cookie-browser.js';
import { BOB } from './oidc-client.js';
import { query } from './query.js';
import { BASE_URL, type Sso } from './sso.js';

/** What happens before the browser goes on. The server has the users of `TWO_USERS`. */
export const LOST_SESSIONS: readonly (readonly [
  string,
  (browser: CookieBrowser, sso: Sso) => Promise<unknown>,
])[] = [
  ['after the session has ended', (browser) => browser.send('GET', `${BASE_URL}/logout`)],
  [
    'after an operator has ended the session',
    (_, { database }) => query(database.url, 'delete from ticket_granting_ticket'),
  ],
  [
    'in the session of another user',
    async (browser) => browser.logIn(await browser.open(`${BASE_URL}/login?renew=true`), BOB),
  ],
  ['without a session', (browser) => Promise.resolve(browser.forget('TGC'))],
];
