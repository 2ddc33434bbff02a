// The applications of `npm run demo` as a process, and an SSO application that knows them.
import { PASSWORD, USER } from '../clients/running-service.js';
import { freePort } from './free-port.js';
import { Program } from './process.js';
import { startSso, type Sso } from './sso.js';

const ANY_PORT = '^http://localhost:\\d+/.*';

export interface Demo {
  readonly program: Program;
  readonly wiki: string;
  readonly calendar: string;
  readonly board: string;
}

/** With the services of this machine as in development, and a user whose name has what pages must escape. */
export function startSsoForDemo(): Promise<Sso> {
  return startSso({
    settings: [
      '--sso.base-url=http://127.0.0.1/cas',
      `--sso.authentication.static.users=${USER}::${PASSWORD},casuser::Mellon`,
    ],
    services: [
      {
        serviceId: ANY_PORT,
        name: 'Applications of this machine',
        attributeRelease: { kind: 'all' },
        proxyPolicy: { kind: 'pattern', pattern: ANY_PORT },
        logoutType: 'back',
      },
    ],
  });
}

/** Starts it on free ports. */
export async function startDemo(casUrl: string): Promise<Demo> {
  const wiki = `http://localhost:${await freePort()}`;
  const calendar = `http://localhost:${await freePort()}`;
  const board = `http://localhost:${await freePort()}`;
  const env = { CAS_URL: casUrl, WIKI_URL: wiki, CALENDAR_URL: calendar, BOARD_URL: board };
  const program = Program.start('demo', [], { env });
  await program.waitForOutput(/^Ctrl-C stops them\.$/m);
  return { program, wiki, calendar, board };
}
