// The commands `tessera oidc keys …` and `tessera oidc initial-token …` with their options.
import type { Command } from 'commander';
import type { CommandContext } from '../database.js';
import { callerPath } from '../input.js';
import { addToken, listTokens, type NewTokenOptions, removeToken } from './initial-tokens.js';
import type { ShowOptions } from './signing-key-list.js';

const KEY_NOTES = `
Applications verify tokens with these keys. Commands that make or read keys need sso.oidc.sealing-keys.`;

const TOKEN_NOTES = `
Whoever has such a token may register any number of clients until it expires, where sso.oidc.registration=token.`;

// Imported on demand, with the libraries that it needs.
const changes = () => import('./signing-key-changes.js');

/** Adds `oidc` and its subcommands to `program`. */
export function registerOidcCommands(program: Command, context: CommandContext): void {
  const oidc = program.command('oidc').description('OpenID Connect');
  registerKeyCommands(oidc, context);
  registerTokenCommands(oidc, context);
}

function registerTokenCommands(oidc: Command, context: CommandContext): void {
  const tokens = oidc
    .command('initial-token')
    .description('the tokens by which clients register themselves; see docs/oidc-clients.md')
    .addHelpText('after', TOKEN_NOTES);
  tokens
    .command('add')
    .description('make a token, and print it')
    .option('--lifetime <duration>', 'how long it is valid: 1m to 90d', '1d')
    .option('--json', 'as a JSON object')
    .action((options: NewTokenOptions) => addToken(options, context));
  tokens
    .command('list')
    .description('all that are valid, by their ids')
    .option('--json', 'as a JSON array')
    .action((options: ShowOptions) => listTokens(options, context));
  tokens
    .command('remove')
    .description('end a token; the clients that it has registered stay')
    .argument('<id>', 'its id, as list shows it')
    .action((id: string) => removeToken(id, context));
}

function registerKeyCommands(oidc: Command, context: CommandContext): void {
  const keys = oidc
    .command('keys')
    .description('the keys that sign tokens; see docs/oidc-keys.md')
    .addHelpText('after', KEY_NOTES);
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
