// Owns what is done with the programs: what they are for, and what goes wrong in it by callers, the database and a host of
// git. What a reload meets is not here.
import { expect } from '@jest/globals';
import { http } from '../support/http.js';
import { APP } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { reply, FakeHttpServer, type Responder } from '../support/fake-http-server.js';
import { commandLines } from './canaries.js';
import { callConfigServer, basic, type SsoCaller } from './canary-callers.js';
import { recordCommandLines, recordOutput, recorded, TRACER } from './canary-places.js';
import { NO_REMOTE_SETTINGS, portOf, start } from './canary-programs.js';
import { canaries, secrets } from './canary-secrets.js';
import type { Fixture } from './canary-fixture.js';
import { echo } from './echo.js';

export async function exerciseSso(caller: SsoCaller, fixture: Fixture): Promise<void> {
  const { body: tgt } = await caller.login('ada', secrets.user);
  canaries.watch('ticket-granting ticket', tgt);
  const validation = await useServiceTicket(caller, tgt);
  await sendInvalidRequests(caller, tgt);
  await callWithoutDatabase(caller, fixture, validation);
  await caller.call('GET', '/health/live');
  await caller.call('DELETE', `/v1/tickets/${tgt}`, {}, /TGT-[\w-]+/g);
}

/** @returns where it was validated */
async function useServiceTicket(caller: SsoCaller, tgt: string): Promise<string> {
  const grant = { form: { service: APP } };
  const { body: ticket } = await caller.call('POST', `/v1/tickets/${tgt}`, grant, /ST-[\w-]+/g);
  canaries.watch('service ticket', ticket);
  const validation = `/p3/serviceValidate?${new URLSearchParams({ service: APP, ticket }).toString()}`;
  const { body: validated } = await caller.call('GET', validation);
  expect(validated).toContain('<cas:user>ada</cas:user>');
  // Who presents a ticket twice is told which.
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

/** Asks a host of git that repeats what it is sent. While it does, git's command line is looked at. */
export async function exerciseGit(fixture: Fixture): Promise<void> {
  const host = await FakeHttpServer.start();
  const program = start(fixture, 'config-server', {
    ...NO_REMOTE_SETTINGS,
    CONFIG_SERVER_BACKENDS: 'git',
    CONFIG_SERVER_GIT_URI: `${host.url}/${TRACER}`,
    CONFIG_SERVER_GIT_USERNAME: 'robot',
    CONFIG_SERVER_GIT_PASSWORD: secrets.git,
  });
  const repeat: Responder = (response, request) => {
    recordCommandLines(program);
    echo(403)(response, request);
  };
  host.respondWith(reply(401, '', { 'www-authenticate': 'Basic realm="git"' }), repeat);
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
  await until('it asks the application', () =>
    commandLines(program.pid).includes('sso/src/main.js'),
  );
  recordCommandLines(program);
  const { code } = await program.ended;
  recorded.explain.push(program.stdout);
  recorded['standard error'].push(program.stderr);
  return code;
}
