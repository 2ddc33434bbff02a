// `npm run stack`: the services of docker-compose.yml without containers, until Ctrl-C. With --free-ports beside
// whatever uses the ports of the file.

import { resolve } from 'node:path';

import { Stack } from './stack.ts';
import { vaultProgram } from './vault.ts';

const root = resolve(import.meta.dirname, '../..');
const told = Promise.withResolvers<NodeJS.Signals>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, told.resolve);

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
    await Promise.race([stack.start().then(() => welcome(stack)), told.promise, stack.died]);
    await Promise.race([told.promise, stack.died]);
  } catch (error) {
    console.error(`stack: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await stack.end();
  }
}

function welcome(stack: Stack): void {
  const { SSO_BASE_URL: sso = '' } = stack.environmentOf('sso');
  const { CONFIG_SERVER_PORT: port = '' } = stack.environmentOf('config-server');
  const { VAULT_URI: vault = '' } = stack.environmentOf('sso');
  console.log(`
The stack is up.
  SSO API        ${sso}
  config server  http://localhost:${port}
  Vault          ${vault}

Ctrl-C stops everything, and its data goes with it.
`);
}
