// `npm run stack`: runs the services of docker-compose.yml without containers, until Ctrl-C. With --free-ports it uses free
// ports instead of those in the file.

import { resolve } from 'node:path';

import { Stack } from './stack.ts';
import { vaultProgram } from './vault.ts';

const root = resolve(import.meta.dirname, '../..');
const shutdownSignal = Promise.withResolvers<NodeJS.Signals>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, shutdownSignal.resolve);

const program = await vaultProgram(root);
if (program === undefined) {
  console.error('stack: there is no Vault here, and none can be built: that needs Go');
  process.exitCode = 1;
} else {
  await run(program);
}

async function run(path: string): Promise<void> {
  const publishedPorts = !process.argv.includes('--free-ports');
  const stack = await Stack.prepare({ root, vaultProgram: path, publishedPorts });
  try {
    await Promise.race([
      stack.start().then(() => welcome(stack)),
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
  const { WIKI_URL: wiki = '', CALENDAR_URL: calendar = '' } = stack.environmentOf('demo');
  const { VAULT_URI: vault = '' } = stack.environmentOf('sso');
  console.log(`
The stack is up.
  SSO API        ${sso}
  config server  http://localhost:${port}
  Vault          ${vault}
  demo           ${wiki} and ${calendar}

Ctrl-C stops everything, and its data goes with it.
`);
}
