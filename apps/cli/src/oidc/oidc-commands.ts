// The commands `tessera oidc keys …` with their options.
import type { Command } from 'commander';
import type { CommandContext } from '../database.js';
import { callerPath } from '../input.js';

const NOTES = `
Applications verify tokens with these keys. Commands that make or read keys need sso.oidc.sealing-keys.`;

// Imported on demand, with the libraries that it needs.
const changes = () => import('./signing-key-changes.js');

/** Adds `oidc` and its subcommands to `program`. */
export function registerOidcCommands(program: Command, context: CommandContext): void {
  const keys = program
    .command('oidc')
    .description('OpenID Connect')
    .command('keys')
    .description('the keys that sign tokens; see docs/oidc-keys.md')
    .addHelpText('after', NOTES);
  keys
    .command('list')
    .description('all that are published, without their private parts')
    .option('--json', 'as a JSON array')
    .action(async (options: object) =>
      (await import('./signing-key-list.js')).listSigningKeys(options, context),
    );
  keys
    .command('rotate')
    .description('add a new key of each algorithm, which signs after all nodes have published it')
    .option('--usable-in <duration>', 'when it signs: 1m to 30d (5m)')
    .option('--now', 'others have read a key: sign with new ones, and remove all others at once')
    .option('--json', 'the keys afterwards, as a JSON array')
    .action(async (options: object) => (await changes()).rotateKeys(options, context));
  keys
    .command('remove')
    .description('publish a key no more; what it signed is valid no more')
    .argument('<kid>', 'its id, as list shows it')
    .action(async (kid: string) => (await changes()).removeKey(kid, context));
  keys
    .command('import')
    .description('add the keys of Apereo CAS under their ids')
    .argument('<keystore.jwks>', 'a JSON Web Key Set with private keys', callerPath)
    .option('--verify-only', 'publish them, and sign with none of them')
    .option('--json', 'the report as a JSON object')
    .action(async (path: string, options: object) =>
      (await changes()).importKeys(path, options, context),
    );
}
