// Owns `tessera start`: which applications it starts, and with what. Their life is the fleet's.
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Fleet } from './fleet.js';
import { welcome } from './welcome.js';

const APPLICATIONS = ['sso', 'config-server'];

/**
 * Node's own options for each application. The file holds what the environment does not say. Left alone, Node lets the
 * heap grow to several hundred MB before it looks for garbage; so it stays small, at a price below what can be measured.
 */
const NODE_OPTIONS: readonly string[] = [
  `--env-file=${here('../../../../apps/cli/start.env')}`,
  '--max-semi-space-size=4',
  '--heap-growing-percent=20',
];

/** Adds `start [application]`; everything after it is given to the applications as settings. */
export function registerStartCommand(program: Command): void {
  program
    .command('start')
    .description('start the SSO application and the config server (profile dev unless told)')
    .argument('[arguments...]', `an application alone (${APPLICATIONS.join(' or ')}); settings`)
    .allowUnknownOption()
    .action(async ([first, ...others]: readonly string[]) => {
      const only = APPLICATIONS.find((application) => application === first);
      const settings = only === undefined && first !== undefined ? [first, ...others] : others;
      const members = (only === undefined ? APPLICATIONS : [only]).map((name) => ({
        name,
        main: here(`../../${name}/src/main.js`),
      }));
      const fleet = new Fleet(members, settings, NODE_OPTIONS, (announcements) => {
        process.stdout.write(welcome(announcements));
      });
      process.exitCode = await fleet.run();
    });
}

/** From where this file is when it is built. */
function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
