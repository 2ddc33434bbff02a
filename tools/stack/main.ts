// `npm run stack`: runs the services of docker-compose.yml without containers, until Ctrl-C; with --ha those of
// docker-compose.ha.yml. With --free-ports it uses free ports instead of those in the file.

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { missingPackages } from './high-availability.ts';
import { Stack } from './stack.ts';
import { vaultProgram } from './vault.ts';

const root = resolve(import.meta.dirname, '../..');
const shutdownSignal = Promise.withResolvers<NodeJS.Signals>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, shutdownSignal.resolve);
// The reader of the output has gone, such as `tee` on Ctrl-C.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', () => shutdownSignal.resolve('SIGHUP'));
}

const isHa = process.argv.includes('--ha');
const missing = isHa ? missingPackages() : [];
const program = missing.length > 0 ? undefined : await vaultProgram(root);
if (program !== undefined) {
  await run(program);
} else {
  console.error(
    missing.length > 0
      ? `stack: --ha needs Debian's packages; install ${missing.join(', ')}`
      : 'stack: there is no Vault here, and none can be built: that needs Go',
  );
  process.exitCode = 1;
}

async function run(path: string): Promise<void> {
  const publishedPorts = !process.argv.includes('--free-ports');
  const file = isHa ? 'docker-compose.ha.yml' : 'docker-compose.yml';
  const stack = await Stack.prepare({ root, file, vaultProgram: path, publishedPorts });
  try {
    await Promise.race([
      stack.start().then(() => (isHa ? welcomeToHa(stack) : welcome(stack))),
      shutdownSignal.promise,
      stack.failure,
    ]);
    await Promise.race([shutdownSignal.promise, stack.failure]);
  } catch (error) {
    console.error(`stack: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}

function welcome(stack: Stack): void {
  const { SSO_BASE_URL: sso = '' } = stack.environmentOf('sso');
  const { CONFIG_SERVER_PORT: port = '' } = stack.environmentOf('config-server');
  const {
    WIKI_URL: wiki = '',
    CALENDAR_URL: calendar = '',
    BOARD_URL: board = '',
  } = stack.environmentOf('demo');
  const { VAULT_URI: vault = '' } = stack.environmentOf('sso');
  console.log(`
The stack is up.
  SSO API        ${sso}
  config server  http://localhost:${port}
  Vault          ${vault}
  demo           ${wiki}, ${calendar} and ${board}

Ctrl-C stops everything, and its data goes with it.
`);
}

async function welcomeToHa(stack: Stack): Promise<void> {
  const { SSO_BASE_URL: sso = '', VAULT_URI: vault = '' } = stack.environmentOf('sso-1');
  const proxy = stack.environmentOf('haproxy');
  const { CONFIG_SERVER_ADDRESS: config = '', DATABASE_ADDRESS: database } = proxy;
  await untilOk(`${sso}/health/ready`);
  await untilOk(`http://${config}/health/ready`);
  console.log(`
The stack is up: two SSO nodes, two config servers, and PostgreSQL with a synchronous standby.
  SSO API        ${sso}
  config server  http://${config.replace('127.0.0.1', 'localhost')}
  Vault          ${vault}
  database       postgres://tessera:development-only@${database}/tessera
  HAProxy        http://${proxy['STATUS_ADDRESS']}/
  Patroni        http://${proxy['PATRONI_1']}/cluster

Ctrl-C stops everything, and its data goes with it.
`);
}

/** HAProxy uses a node a moment after it is ready. This alone does not keep the process running. */
async function untilOk(url: string): Promise<void> {
  const isOk = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isOk())) await sleep(100, undefined, { ref: false });
}
