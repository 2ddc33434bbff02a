// Starts the programs under test and exercises them: their normal work, invalid requests and a lost database.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { reply, FakeHttpServer, type Handler } from '../support/fake-http-server.js';
import { http } from '../support/http.js';
import { Program, type ProgramName } from '../support/process.js';
import { APP } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { secrets, canaries } from './canaries.js';
import { resetCredentials, resetSettings, operatorFile, type Fixture } from './canary-fixture.js';
import {
  callConfigServer,
  TRACER,
  commandLines,
  basic,
  type SsoCaller,
  recordCommandLines,
  recordOutput,
  recorded,
} from './canary-outputs.js';
import { echo } from './handlers.js';

export type Environment = Readonly<Record<string, string>>;

/** For a config server without settings in Vault or encrypted ones. */
const NO_REMOTE_SETTINGS: Environment = {
  SSO_STANDALONE_SECURITY_PASSWORD: '',
  VAULT_APP_ROLE_SECRET_ID: '',
};

export interface Programs {
  readonly config: Program;
  readonly configUrl: string;
  readonly sso: Program;
  readonly ssoUrl: string;
}

export async function startPrograms(fixture: Fixture): Promise<Programs> {
  await resetCredentials(fixture);
  const passwordHash = await new PasswordHashing({ iterations: 1 }).hash(secrets.basic);
  const permissions = ['read', 'encrypt', 'decrypt'];
  const client = { 'password-hash': passwordHash, applications: '*', permissions };
  const config = start(fixture, 'config-server', {
    ...NO_REMOTE_SETTINGS,
    CONFIG_SERVER_CLIENTS: JSON.stringify({ sso: client }),
  });
  const configUrl = `http://127.0.0.1:${await portOf(config)}`;
  await serveUsers(fixture, configUrl);
  await resetSettings(fixture, configUrl);
  const sso = start(fixture, 'sso', {});
  return { config, configUrl, sso, ssoUrl: `https://127.0.0.1:${await portOf(sso)}/cas` };
}

/** Starts a program with all log levels on and its files below `home`. A variable with an empty value is not set. */
export function start(
  fixture: Fixture,
  name: ProgramName,
  given: Environment,
  ...args: readonly string[]
): Program {
  const own = {
    HOME: join(fixture.home, 'home'),
    TMPDIR: join(fixture.home, 'tmp'),
    DEBUG: '*',
    LOGGING_LEVEL_ROOT: 'debug',
    SSO_PORT: '0',
    CONFIG_SERVER_PORT: '0',
    SSO_CONFIG_SERVER_USERNAME: 'sso',
    SSO_CONFIG_SERVER_PASSWORD: secrets.basic,
    SSO_STANDALONE_SECURITY_PASSWORD: `@${operatorFile(fixture, 'standalone')}`,
    SSO_TLS_KEY_PASSPHRASE: secrets.passphrase,
    VAULT_APP_ROLE_SECRET_ID: secrets.secretId,
    CREDENTIALS_DIRECTORY: operatorFile(fixture, 'credentials'),
    ENCRYPT_KEY: secrets.encryptKey,
    ENCRYPT_KEY_STORE_LOCATION: operatorFile(fixture, 'store.p12'),
    ENCRYPT_KEY_STORE_PASSWORD: secrets.keyStore,
    TRACING_ENABLED: 'true',
    TRACING_OTLP_URL: fixture.otlp.url,
    TRACING_OTLP_HEADERS: `x-key: ${secrets.traces}`,
  };
  const profiles = `--profiles.active=dev,${TRACER}`;
  const env = Object.entries({ ...own, ...given }).filter(([, value]) => value !== '');
  return Program.start(name, [...args, profiles], {
    cwd: fixture.home,
    env: Object.fromEntries(env),
  });
}

/** The port of a server; waits until it listens. */
async function portOf(program: Program): Promise<string> {
  const [, port = ''] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
  return port;
}

/** Puts the users who can log in into the repository of the config server. */
async function serveUsers({ home }: Fixture, configUrl: string): Promise<void> {
  const users = await callConfigServer(configUrl, '/encrypt', `ada::${secrets.user}`);
  const served = { sso: { authentication: { static: { users: `{cipher}${users.body}` } } } };
  await writeFile(join(home, 'config-repo/sso.yml'), JSON.stringify(served));
}

export async function exerciseSso(caller: SsoCaller, fixture: Fixture): Promise<void> {
  const { body: tgt } = await caller.login('ada', secrets.user);
  canaries.watch('ticket-granting ticket', tgt);
  const validation = await useServiceTicket(caller, tgt);
  await sendInvalidRequests(caller, tgt);
  await refuseTraces(fixture);
  await callWithoutDatabase(caller, fixture, validation);
  await caller.call('GET', '/health/live');
  await caller.call('DELETE', `/v1/tickets/${tgt}`, {}, /TGT-[\w-]+/g);
}

/** @returns the path of the validation */
async function useServiceTicket(caller: SsoCaller, tgt: string): Promise<string> {
  const grant = { form: { service: APP } };
  const { body: ticket } = await caller.call('POST', `/v1/tickets/${tgt}`, grant, /ST-[\w-]+/g);
  canaries.watch('service ticket', ticket);
  const validation = `/p3/serviceValidate?${new URLSearchParams({ service: APP, ticket }).toString()}`;
  const { body: validated } = await caller.call('GET', validation);
  expect(validated).toContain('<cas:user>ada</cas:user>');
  // The answer to a second validation names the ticket.
  await caller.call('GET', validation, {}, new RegExp(ticket, 'g'));
  return validation;
}

async function sendInvalidRequests(caller: SsoCaller, tgt: string): Promise<void> {
  const wrong = secrets.caller;
  await caller.login('ada', wrong);
  await caller.login(`bob ${TRACER}`, wrong);
  await caller.call('POST', '/v1/tickets', { body: `{"password":"${wrong}"}` });
  await caller.call('POST', `/v1/tickets?password=${wrong}`, { form: { secrets: wrong } });
  const elsewhere = { form: { service: `https://x.example/${TRACER}` } };
  await caller.call('POST', `/v1/tickets/${tgt}`, elsewhere);
  await caller.call('GET', `/v1/tickets/${tgt}/${TRACER}`);
  await caller.call('POST', '/v1/services/add', { headers: { authorization: basic(wrong) } });
  await caller.reload(`Bearer ${wrong}`);
  await caller.reload(basic(wrong));
}

/** The receiver of traces repeats what it gets, its key too, and then takes the next ones. */
async function refuseTraces({ otlp }: Fixture): Promise<void> {
  otlp.respondWith(echo(400));
  await until('it has refused some', () => otlp.requests.length > 0);
  otlp.accept();
}

async function callWithoutDatabase(
  caller: SsoCaller,
  { databaseProxy }: Fixture,
  validation: string,
): Promise<void> {
  await databaseProxy.set('refuse');
  await caller.login('ada', secrets.user);
  await caller.call('GET', validation);
  await caller.call('GET', '/health/ready');
  await databaseProxy.set('open');
  await until(
    'the database is back',
    async () => (await caller.call('GET', '/health/ready')).status === 200,
  );
}

export async function exerciseConfigServer(url: string): Promise<void> {
  const { body: cipher } = await callConfigServer(url, '/encrypt', secrets.plain);
  await callConfigServer(url, '/decrypt', cipher.replace(/.$/, ''));
  await callConfigServer(url, '/decrypt', secrets.plain);
  await callConfigServer(url, '/decrypt', cipher, secrets.caller);
  await callConfigServer(url, `/encrypt/${TRACER}/..`, secrets.plain);
  await callConfigServer(url, '/encrypt', `{key:${TRACER}}${secrets.plain}`);
  const headers = { authorization: basic(secrets.basic) };
  const environment = await http('GET', url, `/sso/${TRACER}`, { headers });
  expect(environment.body).toContain(secrets.user);
}

/** Reads from a git host that echoes its requests, and records the command line of git during a request. */
export async function exerciseGit(fixture: Fixture): Promise<void> {
  const host = await FakeHttpServer.start();
  const program = start(fixture, 'config-server', {
    ...NO_REMOTE_SETTINGS,
    CONFIG_SERVER_BACKENDS: 'git',
    CONFIG_SERVER_GIT_URI: `${host.url}/${TRACER}`,
    CONFIG_SERVER_GIT_USERNAME: 'robot',
    CONFIG_SERVER_GIT_PASSWORD: secrets.git,
  });
  const echoAndRecord: Handler = (response, request) => {
    recordCommandLines(program);
    echo(403)(response, request);
  };
  host.respondWith(reply(401, '', { 'www-authenticate': 'Basic realm="git"' }), echoAndRecord);
  const url = `http://127.0.0.1:${await portOf(program)}`;
  const { status, body } = await http('GET', url, '/sso/default');
  recorded.answers.push(body);
  await program.stop();
  recordOutput(program);
  await host.stop();
  expect(host.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
  expect(status).toBe(503);
  expect(recorded['command lines'].join()).toContain('git-remote-http');
}

/** @returns its exit code */
export async function explainSettings(fixture: Fixture): Promise<number | null> {
  const program = start(fixture, 'cli', {}, 'settings', 'explain');
  await until('it runs the application', () =>
    commandLines(program.pid).includes('sso/src/main.js'),
  );
  recordCommandLines(program);
  const { code } = await program.ended;
  recorded.explain.push(program.stdout);
  recorded['standard error'].push(program.stderr);
  return code;
}
