// Owns `tessera start`: which applications it starts, and with what. Their life is the fleet's.
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { childEnvironment } from '@tessera/runtime';
import { CliError } from './cli-error.js';
import { Fleet, type Member } from './fleet.js';
import { escapeForTerminal } from './terminal-escape.js';
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

/** The C library keeps memory for each of Node's threads apart unless told, and what was freed for later. */
const SMALL_REST = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Node cuts small Buffers from blocks of 64 KiB. What the C library takes from the system each by itself goes back as soon as it
 * is freed; for whoever has more connections than those of HTTP that costs too much.
 */
const SMALL_BUFFERS = { MALLOC_MMAP_THRESHOLD_: '65536' };

/** How each application is to be run. */
const APPLICATIONS: Readonly<Record<string, Pick<Member, 'execArgv' | 'env'>>> = {
  sso: { execArgv: SMALL_HEAP, env: SMALL_REST },
  'config-server': {
    execArgv: [...SMALL_HEAP, ...SMALL_CODE],
    env: { ...SMALL_REST, ...SMALL_BUFFERS },
  },
};

const NAMES = Object.keys(APPLICATIONS);

/** Adds `start [application]`; everything after it is given to the applications as settings. */
export function registerStartCommand(program: Command): void {
  program
    .command('start')
    .description('start the SSO application and the config server (profile dev unless told)')
    .argument('[arguments...]', `an application alone (${NAMES.join(' or ')}); settings`)
    .allowUnknownOption()
    .action(async ([first, ...others]: readonly string[]) => {
      const only = NAMES.find((application) => application === first);
      if (only === undefined && first?.startsWith('-') === false) {
        throw new CliError(
          `there is no application ${escapeForTerminal(first)}: ${NAMES.join(', ')}`,
        );
      }
      const settings = only === undefined && first !== undefined ? [first, ...others] : others;
      const members = Object.entries(APPLICATIONS)
        .filter(([name]) => only === undefined || name === only)
        .map(([name, { execArgv, env }]) => ({
          name,
          main: here(`../../${name}/src/main.js`),
          execArgv,
          env: childEnvironment({ PROFILES_ACTIVE: 'dev', ...env }),
        }));
      const fleet = new Fleet(members, settings, (announcements) => {
        process.stdout.write(welcome(announcements));
      });
      process.exitCode = await fleet.run();
    });
}

/** From where this file is when it is built. */
function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
