// What the README promises a newcomer: `npm start` in a new directory, the tour, everything there
// again after a stop; and clear words where it cannot start.
import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { processesOf, signalAll, treeOf } from '../support/process-table.js';
import { until } from '../support/until.js';
import { Newcomer, occupy, SERVICE } from './newcomer.js';

/** Registered by the newcomer. */
const WIKI = 'https://wiki.example.org/';
const WIKI_PATTERN = '^https://wiki\\.example\\.org/.*';

let ada: Newcomer;

async function arrive(): Promise<void> {
  ada = await Newcomer.arrive();
}

afterEach(endPrograms);

const welcome = ({ sso, configServer }: Newcomer): string => `
Tessera is running.
  SSO API        ${sso}
  config server  ${configServer}

This is a development set-up: demo user casuser with password Mellon, embedded PostgreSQL in .data/postgres,
services on localhost. Log in, get a service ticket, redeem it:

  TGT=$(curl -s -H 'Accept: text/plain' -d 'username=casuser&password=Mellon' ${sso}/v1/tickets)
  ST=$(curl -s -d 'service=${SERVICE}' ${sso}/v1/tickets/$TGT)
  curl "${sso}/p3/serviceValidate?service=${SERVICE}&ticket=$ST"

The config server serves ./config-repo, and has a key of its own in .data. Fetch settings, encrypt a secret, decrypt it:

  curl ${configServer}/orders/prod
  SECRET=$(curl -s -H 'Content-Type: text/plain' -d 'pass+word' ${configServer}/encrypt)
  curl -H 'Content-Type: text/plain' -d "$SECRET" ${configServer}/decrypt

Ctrl-C stops everything.

`;

const SUCCESS = `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationSuccess>
        <cas:user>casuser</cas:user>
        <cas:attributes>
            <cas:mail>casuser@example.org</cas:mail>
            <cas:displayName>Cas &lt;User&gt; &amp; Co</cas:displayName>
            <cas:memberOf>staff</cas:memberOf>
            <cas:memberOf>admin</cas:memberOf>
            <cas:authenticationDate>(a moment)</cas:authenticationDate>
            <cas:isFromNewLogin>true</cas:isFromNewLogin>
            <cas:longTermAuthenticationRequestTokenUsed>false</cas:longTermAuthenticationRequestTokenUsed>
            <cas:credentialType>UsernamePasswordCredential</cas:credentialType>
            <cas:authenticationMethod>static</cas:authenticationMethod>
            <cas:successfulAuthenticationHandlers>static</cas:successfulAuthenticationHandlers>
            <cas:samlAuthenticationStatementAuthMethod>urn:oasis:names:tc:SAML:1.0:am:password</cas:samlAuthenticationStatementAuthMethod>
        </cas:attributes>
    </cas:authenticationSuccess>
</cas:serviceResponse>
`;

const REFUSED = (
  ticket: string,
): string => `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationFailure code="INVALID_TICKET">Ticket '${ticket}' not recognized</cas:authenticationFailure>
</cas:serviceResponse>
`;

describe('npm start in a new directory', () => {
  beforeAll(arrive);
  afterAll(() => ada.leave());

  test('leads through the tour, and finds everything again after a stop and after kill -9', async () => {
    let start = await ada.start();
    expect(start.stdout).toContain(welcome(ada));
    const tgt = await tour();
    await addServiceAndUser();
    const session = await ada.login('ada', 'correct horse');
    const secret = await configTour();

    start.signalGroup('SIGINT');
    expect(await start.ended).toEqual({ code: 0, signal: null });
    await ada.untilNothingRuns();

    start = await ada.start();
    await expectAllThere([tgt, session]);

    signalAll([...treeOf(start.pid), ...processesOf(ada.folder)], 'SIGKILL');
    await ada.untilNothingRuns();

    start = await ada.start();
    await expectAllThere([tgt, session]);
    expect(await decrypt(secret)).toBe('pass+word');
    expect(await start.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
    await ada.untilNothingRuns();
  });
});

/** Returns a TGT that is live at its end. */
async function tour(): Promise<string> {
  const tgt = await ada.login();
  expect(tgt).toMatch(/^TGT-[A-Za-z0-9]{43}$/);
  const ticket = await ada.grant(tgt);
  const success = await ada.validate(ticket);
  expect(success.status).toBe(200);
  expect(success.body.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '(a moment)')).toBe(SUCCESS);
  expect(await ada.validate(ticket)).toMatchObject({ status: 400, body: REFUSED(ticket) });
  expect(await ada.statusOf(tgt)).toBe(200);
  const other = await ada.login();
  expect(await ada.logout(other)).toBe(200);
  expect(await ada.statusOf(other)).toBe(404);
  return tgt;
}

/** Returns a secret that the server's own key encrypted. */
async function configTour(): Promise<string> {
  const { body } = await http('GET', ada.configServer, '/orders-prod.properties');
  expect(body).toContain('orders.greeting: Welcome to Example Ltd\n');
  const headers = { 'content-type': 'text/plain' };
  const encrypted = await http('POST', ada.configServer, '/encrypt', {
    headers,
    body: 'pass+word',
  });
  expect(await decrypt(encrypted.body)).toBe('pass+word');
  return encrypted.body;
}

async function decrypt(secret: string): Promise<string> {
  const headers = { 'content-type': 'text/plain' };
  return (await http('POST', ada.configServer, '/decrypt', { headers, body: secret })).body;
}

async function addServiceAndUser(): Promise<void> {
  const service = await ada.run(['service', 'add', WIKI_PATTERN, '--name=wiki']);
  expect(service).toMatchObject({ stdout: expect.stringMatching(/^\d+\n$/), stderr: '' });
  const user = await ada.run(['user', 'add', 'ada', '--password-stdin'], 'correct horse\n');
  expect(user).toMatchObject({ stdout: 'added ada\n', stderr: '' });
  const tgt = await ada.login();
  await until('the service is known', async () => (await ada.grant(tgt, WIKI)).startsWith('ST-'));
}

/** The sessions, the service and the user. */
async function expectAllThere(sessions: readonly string[]): Promise<void> {
  for (const tgt of sessions) {
    const ticket = await ada.grant(tgt, WIKI);
    expect((await ada.validate(ticket, WIKI)).status).toBe(200);
  }
  expect((await ada.postLogin('ada', 'correct horse')).status).toBe(201);
}

describe('npm start that cannot', () => {
  beforeAll(async () => {
    await arrive();
    await mkdir(`${ada.folder}/config`);
    await writeFile(`${ada.folder}/config/application.yml`, 'server.port: 80\n');
  });
  afterAll(() => ada.leave());

  test.each([
    ['SSO application', 'sso', 'SSO_PORT', () => ada.ssoPort],
    ['config server', 'config-server', 'CONFIG_SERVER_PORT', () => ada.configPort],
  ])(
    'for the port of the %s names it and its setting in one line, with 1, and what does nothing in the log',
    async (_, name, variable, port) => {
      const squatter = await occupy(port());
      try {
        const start = ada.typeStart();
        expect(await start.ended).toEqual({ code: 1, signal: null });
        expect(start.stderr).toBe(
          `${name}: cannot listen on 127.0.0.1:${port()}: the port is in use; ` +
            `choose another with --${name}.port (in the environment ${variable})\n`,
        );
        expect(start.stdout).not.toContain('Tessera is running');
        expect(start.stdout).toContain(
          `"idleKeys":["server.port (config/application.yml:1): here it is ${name}.port"],"msg":"settings of another server do nothing here"`,
        );
        await ada.untilNothingRuns();
      } finally {
        squatter?.close();
      }
    },
  );

  test('for its settings names every fault of every application, with 78', async () => {
    const start = ada.typeStart('--sso.port=much', '--sso.prot=1', '--config-server.port=99999');
    expect(await start.ended).toEqual({ code: 78, signal: null });
    expect(start.stderr).toContain(`sso: 2 problems in the settings of sso:
  sso.port: must be a whole number ("much", command line)
  sso.prot: is not a known setting; did you mean sso.port? (command line)
`);
    expect(start.stderr).toContain(`config-server: a problem in the settings of config-server:
  config-server.port: must not be greater than 65535 ("99999", command line)
`);
    await ada.untilNothingRuns();
  });

  test('takes a profile in two words as well as in one', async () => {
    const start = ada.typeStart('--profiles.active', 'production');
    expect(await start.ended).toEqual({ code: 78, signal: null });
    expect(start.stderr).toContain('sso: a problem in the settings of sso:\n  database.url: ');
  });
});
