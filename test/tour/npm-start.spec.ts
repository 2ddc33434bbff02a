// `npm start` in a new directory: the tour of the README works, data survive a restart, and start errors are clear.
import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { occupyPort } from '../support/free-port.js';
import { http } from '../support/http.js';
import { endPrograms, Program } from '../support/process.js';
import { processesOf, signalAll, treeOf } from '../support/process-table.js';
import { until } from '../support/until.js';
import { TemporaryInstallation, SERVICE } from './temporary-installation.js';

/** Registered in the test. */
const WIKI = 'https://wiki.example.org/';
const WIKI_PATTERN = '^https://wiki\\.example\\.org/.*';

let installation: TemporaryInstallation;

async function createInstallation(): Promise<void> {
  installation = await TemporaryInstallation.create();
}

afterEach(endPrograms);

const welcome = ({ sso, configServer }: TemporaryInstallation): string => `
Tessera is running.
  login page     ${sso}/login
  SSO API        ${sso}
  OpenID Connect ${sso}/oidc
  config server  ${configServer}

This is a development set-up: demo user casuser with password Mellon, embedded PostgreSQL in .data/postgres,
services on localhost. See it in a browser, with three demo applications:

  CAS_URL=${sso} npm run demo

Over REST: log in, get a service ticket, redeem it:

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
  beforeAll(createInstallation);
  afterAll(() => installation.remove());

  test('leads through the tour, and finds everything again after kill -9', async () => {
    let start = await installation.start();
    expect(start.stdout).toContain(welcome(installation));
    await expectSecondStartRefused();
    await expectSecondOwnerRefused();
    const tgt = await tour();
    await addServiceAndUser();
    const session = await installation.login('ada', 'correct horse');
    const secret = await configTour();

    signalAll([...treeOf(start.pid), ...processesOf(installation.folder)], 'SIGKILL');
    await installation.untilNothingRuns();

    start = await installation.start();
    await expectAllThere([tgt, session]);
    expect(await decrypt(secret)).toBe('pass+word');
    // Ctrl-C, and a second, impatient one.
    start.signalGroup('SIGINT');
    await start.waitForOutput(/"msg":"stopping"/);
    start.signalGroup('SIGINT');
    expect(await start.ended).toEqual({ code: 0, signal: null });
    await installation.untilNothingRuns();
  });
});

async function expectSecondStartRefused(): Promise<void> {
  const second = installation.spawnStart();
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stdout).toBe('');
  expect(second.stderr).toBe(
    `tessera: Tessera is running here already (sso in ${installation.folder}): Ctrl-C where it was started stops it. ` +
      'Another one needs a database.url, and ports of its own: --sso.port=<number> --sso.management.port=<number> ' +
      '--config-server.port=<number> --config-server.management.port=<number>\n',
  );
}

/** With ports of its own, a second start would need the same database. */
async function expectSecondOwnerRefused(): Promise<void> {
  const args = ['start', 'sso', '--sso.port=0', '--sso.management.port=0'];
  const second = Program.start('cli', args, { cwd: installation.folder });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stderr).toMatch(
    /^sso: Another process runs the PostgreSQL on .*: stop it, or give this one its database, --database\.url='postgresql:.*'\n$/,
  );
}

/** @returns a TGT that is still valid at the end */
async function tour(): Promise<string> {
  const tgt = await installation.login();
  expect(tgt).toMatch(/^TGT-[A-Za-z0-9]{43}$/);
  expect(await installation.postLogin('casuser', 'wrong')).toMatchObject({
    status: 400,
    body: '{"authentication_exceptions" : [ "FailedLoginException" ]}',
  });
  const ticket = await installation.grant(tgt);
  const success = await installation.validate(ticket);
  expect(success.status).toBe(200);
  expect(success.body.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '(a moment)')).toBe(SUCCESS);
  expect(await installation.validate(ticket)).toMatchObject({ status: 400, body: REFUSED(ticket) });
  expect(await installation.statusOf(tgt)).toBe(200);
  const other = await installation.login();
  expect(await installation.logout(other)).toBe(200);
  expect(await installation.statusOf(other)).toBe(404);
  return tgt;
}

/** @returns a secret encrypted with the key of the server */
async function configTour(): Promise<string> {
  const { body } = await http('GET', installation.configServer, '/orders-prod.properties');
  expect(body).toContain('orders.greeting: Welcome to Example Ltd\n');
  const headers = { 'content-type': 'text/plain' };
  const encrypted = await http('POST', installation.configServer, '/encrypt', {
    headers,
    body: 'pass+word',
  });
  expect(await decrypt(encrypted.body)).toBe('pass+word');
  return encrypted.body;
}

async function decrypt(secret: string): Promise<string> {
  const headers = { 'content-type': 'text/plain' };
  return (await http('POST', installation.configServer, '/decrypt', { headers, body: secret }))
    .body;
}

async function addServiceAndUser(): Promise<void> {
  const stderr = `tessera: using the embedded PostgreSQL in ${installation.folder}/.data/postgres\n`;
  const service = await installation.run(['service', 'add', WIKI_PATTERN, '--name=wiki']);
  expect(service).toMatchObject({ stdout: expect.stringMatching(/^\d+\n$/), stderr });
  const user = await installation.run(
    ['user', 'add', 'ada', '--password-stdin'],
    'correct horse\n',
  );
  expect(user).toMatchObject({ stdout: 'added ada\n', stderr });
  const tgt = await installation.login();
  await until('the service is known', async () =>
    (await installation.grant(tgt, WIKI)).startsWith('ST-'),
  );
}

/** Checks the sessions, the service and the user. */
async function expectAllThere(sessions: readonly string[]): Promise<void> {
  for (const tgt of sessions) {
    const ticket = await installation.grant(tgt, WIKI);
    expect((await installation.validate(ticket, WIKI)).status).toBe(200);
  }
  expect((await installation.postLogin('ada', 'correct horse')).status).toBe(201);
}

describe('npm start that cannot', () => {
  beforeAll(async () => {
    await createInstallation();
    await mkdir(`${installation.folder}/config`);
    await writeFile(`${installation.folder}/config/application.yml`, 'server.port: 80\n');
  });
  afterAll(() => installation.remove());

  test.each([
    ['SSO application', 'sso', () => installation.ssoPort, () => installation.spawnStart()],
    [
      'management server of the config server',
      'config-server.management',
      // Any port that is not used otherwise.
      () => installation.ssoPort,
      () =>
        installation.spawnConfigServer(`--config-server.management.port=${installation.ssoPort}`),
    ],
  ])(
    'for the port of the %s names it and its setting in one line, with 1, and what does nothing in the log',
    async (_, prefix, port, spawn) => {
      const [name = ''] = prefix.split('.');
      const variable = `${prefix.toUpperCase().replaceAll(/[-.]/g, '_')}_PORT`;
      const blocker = await occupyPort(port());
      try {
        const start = spawn();
        expect(await start.ended).toEqual({ code: 1, signal: null });
        const advice = `--${prefix}.port=<number> (npm start -- --${prefix}.port=<number>; in the environment ${variable})`;
        expect(start.stderr).toBe(
          `${name}: cannot listen on 127.0.0.1:${port()}: the port is in use; choose another with ${advice}\n`,
        );
        expect(start.stdout).not.toContain('Tessera is running');
        expect(start.stdout).toContain(
          `"idleKeys":["server.port (config/application.yml:1): here it is ${name}.port"],"msg":"settings of another server do nothing here"`,
        );
        await installation.untilNothingRuns();
      } finally {
        blocker?.close();
      }
    },
  );

  test('for its settings names every fault of every application, with 78', async () => {
    const start = installation.spawnStart(
      '--sso.port=much',
      // In two words.
      '--sso.prot',
      '1',
      '--config-server.port=99999',
    );
    expect(await start.ended).toEqual({ code: 78, signal: null });
    expect(start.stderr).toContain(`sso: 2 problems in the settings of sso:
  sso.port: must be a whole number ("much", command line)
  sso.prot: is not a known setting; did you mean sso.port? (command line)
`);
    expect(start.stderr).toContain(`config-server: a problem in the settings of config-server:
  config-server.port: must not be greater than 65535 ("99999", command line)
`);
    await installation.untilNothingRuns();
  });
});
