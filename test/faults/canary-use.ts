// Owns what is done with the programs: what they are for, and what goes wrong in it by callers, the database and a host of
// git. What a reload meets is not here.
import { expect } from '@jest/globals';
import { http } from '../support/http.js';
import { APP } from '../support/sso-node.js';
import { until } from '../support/until.js';
import { reply, VaultImpostor, type Reply } from '../support/vault-impostor.js';
import { commandLines } from './canaries.js';
import { askConfig, basic, type SsoCaller } from './canary-callers.js';
import { lookAtCommandLines, lookAtOutput, seen, TRACER } from './canary-places.js';
import { NO_SETTINGS_TO_FETCH, portOf, start } from './canary-programs.js';
import { canaries, secrets } from './canary-secrets.js';
import type { World } from './canary-world.js';
import { echo } from './echo.js';

export async function useSso(caller: SsoCaller, world: World): Promise<void> {
  const { body: tgt } = await caller.login('ada', secrets.user);
  canaries.watch('ticket-granting ticket', tgt);
  const validation = await useServiceTicket(caller, tgt);
  await askWrongly(caller, tgt);
  await useWithoutDatabase(caller, world, validation);
  await caller.ask('GET', '/health/live');
  await caller.ask('DELETE', `/v1/tickets/${tgt}`, {}, /TGT-[\w-]+/g);
}

/** @returns where it was validated */
async function useServiceTicket(caller: SsoCaller, tgt: string): Promise<string> {
  const grant = { form: { service: APP } };
  const { body: ticket } = await caller.ask('POST', `/v1/tickets/${tgt}`, grant, /ST-[\w-]+/g);
  canaries.watch('service ticket', ticket);
  const validation = `/p3/serviceValidate?${new URLSearchParams({ service: APP, ticket }).toString()}`;
  const { body: validated } = await caller.ask('GET', validation);
  expect(validated).toContain('<cas:user>ada</cas:user>');
  // Who presents a ticket twice is told which.
  await caller.ask('GET', validation, {}, new RegExp(ticket, 'g'));
  return validation;
}

async function askWrongly(caller: SsoCaller, tgt: string): Promise<void> {
  const wrong = secrets.caller;
  await caller.login('ada', wrong);
  await caller.login(`bob ${TRACER}`, wrong);
  await caller.ask('POST', '/v1/tickets', { body: `{"password":"${wrong}"}` });
  await caller.ask('POST', `/v1/tickets?password=${wrong}`, { form: { secrets: wrong } });
  const elsewhere = { form: { service: `https://x.example/${TRACER}` } };
  await caller.ask('POST', `/v1/tickets/${tgt}`, elsewhere);
  await caller.ask('GET', `/v1/tickets/${tgt}/${TRACER}`);
  await caller.ask('POST', '/v1/services/add', { headers: { authorization: basic(wrong) } });
  await caller.reload(`Bearer ${wrong}`);
  await caller.reload(basic(wrong));
}

async function useWithoutDatabase(
  caller: SsoCaller,
  { door }: World,
  validation: string,
): Promise<void> {
  await door.set('refuse');
  await caller.login('ada', secrets.user);
  await caller.ask('GET', validation);
  await caller.ask('GET', '/health/ready');
  await door.set('open');
  await until(
    'the database is back',
    async () => (await caller.ask('GET', '/health/ready')).status === 200,
  );
}

export async function useConfigServer(url: string): Promise<void> {
  const { body: cipher } = await askConfig(url, '/encrypt', secrets.plain);
  await askConfig(url, '/decrypt', cipher.replace(/.$/, ''));
  await askConfig(url, '/decrypt', secrets.plain);
  await askConfig(url, '/decrypt', cipher, secrets.caller);
  await askConfig(url, `/encrypt/${TRACER}/..`, secrets.plain);
  await askConfig(url, '/encrypt', `{key:${TRACER}}${secrets.plain}`);
  const headers = { authorization: basic(secrets.basic) };
  const environment = await http('GET', url, `/sso/${TRACER}`, { headers });
  expect(environment.body).toContain(secrets.user);
}

/** Asks a host of git that repeats what it is sent. While it does, git's command line is looked at. */
export async function useGit(world: World): Promise<void> {
  const host = await VaultImpostor.start();
  const program = start(world, 'config-server', {
    ...NO_SETTINGS_TO_FETCH,
    CONFIG_SERVER_BACKENDS: 'git',
    CONFIG_SERVER_GIT_URI: `${host.url}/${TRACER}`,
    CONFIG_SERVER_GIT_USERNAME: 'robot',
    CONFIG_SERVER_GIT_PASSWORD: secrets.git,
  });
  const repeat: Reply = (response, request) => {
    lookAtCommandLines(program);
    echo(403)(response, request);
  };
  host.says(reply(401, '', { 'www-authenticate': 'Basic realm="git"' }), repeat);
  const url = `http://127.0.0.1:${await portOf(program)}`;
  const { status, body } = await http('GET', url, '/sso/default');
  seen.answers.push(body);
  await program.stop();
  lookAtOutput(program);
  await host.stop();
  expect(host.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
  expect(status).toBe(503);
  expect(seen['command lines'].join()).toContain('git-remote-http');
}

/** @returns its exit code */
export async function explain(world: World): Promise<number | null> {
  const program = start(world, 'cli', {}, 'settings', 'explain');
  await until('it asks the application', () =>
    commandLines(program.pid).includes('sso/src/main.js'),
  );
  lookAtCommandLines(program);
  const { code } = await program.ended;
  seen.explain.push(program.stdout);
  seen['standard error'].push(program.stderr);
  return code;
}
