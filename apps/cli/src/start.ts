// Owns `tessera start`: which applications it starts, and with what. Their life is the fleet's.
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { childEnvironment } from '@tessera/runtime';
import { Fleet } from './fleet.js';
import { welcome } from './welcome.js';

/**
 * How Node is to run them. Left alone, it lets the heap grow to several hundred MB before it looks for garbage; so the heap
 * stays small, at a price below what can be measured, and in so little one thread has found the garbage before several have
 * met.
 */
const SMALL_HEAP = [
  '--max-semi-space-size=2',
  '--no-parallel-scavenge',
  '--heap-growing-percent=20',
];

/**
 * The config server does without the compilers between interpreter and optimiser, and without one that works beside it: they
 * keep 20 MB to themselves, and it has requests to spare.
 */
const SMALL_CODE = ['--no-maglev', '--no-sparkplug', '--no-concurrent-recompilation'];

const EXEC_ARGV: Readonly<Record<string, readonly string[]>> = {
  sso: SMALL_HEAP,
  'config-server': [...SMALL_HEAP, ...SMALL_CODE],
};

const APPLICATIONS = Object.keys(EXEC_ARGV);

/** The C library keeps memory for each of Node's threads apart unless told, and what was freed for later. */
const ENVIRONMENT = childEnvironment({
  PROFILES_ACTIVE: 'dev',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
});

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
        execArgv: EXEC_ARGV[name] ?? [],
      }));
      const fleet = new Fleet(members, settings, ENVIRONMENT, (announcements) => {
        process.stdout.write(welcome(announcements));
      });
      process.exitCode = await fleet.run();
    });
}

/** From where this file is when it is built. */
function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
