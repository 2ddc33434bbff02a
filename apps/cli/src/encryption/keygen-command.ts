// The command `tessera keygen` with its options. The code that runs it is imported on demand.
import { type Command, Option } from 'commander';
import { callerPath } from '../input.js';
import type { KeygenOptions } from './keygen-run.js';
import type { Terminal } from '../terminal.js';

const NOTES = `
A key goes into a new file that its owner alone can read, or to standard output; an existing file stays as it is.
Tokens and passwords are for config-server.clients, whose settings contain only their hashes.

Exit codes: 0 done; 1 an error, or wrong use.

Examples:
  tessera keygen 2031.key
  tessera keygen --rsa 4096 config.pem
  tessera keygen --token
  tessera keygen --password-hash < password.txt`;

/** Does not load the database. */
export const KEYGEN_COMMANDS: readonly string[] = ['keygen'];

/** Adds `keygen` to `program`. */
export function registerKeygenCommand(program: Command, terminal: Terminal): void {
  program
    .command('keygen')
    .description('make a key for protected values, or the proof of a client of the config server')
    .argument('[file]', 'where to write the key', callerPath)
    .option('--id <id>', 'of an AES key: letters, digits, _ and -; else one made of the key')
    .addOption(
      new Option('--rsa [bits]', 'an RSA key in PEM instead of an AES key: 2048 to 4096 bits')
        .preset('3072')
        .conflicts(['id', 'token', 'passwordHash']),
    )
    .addOption(
      new Option('--token', 'a random token, and its token-hash').conflicts(['id', 'passwordHash']),
    )
    .addOption(
      new Option('--password-hash', 'the password-hash of a password from a prompt').conflicts(
        'id',
      ),
    )
    .option('--json', 'write a JSON object')
    .addHelpText('after', NOTES)
    .action(async (file: string | undefined, options: KeygenOptions) => {
      const { keygen } = await import('./keygen-run.js');
      await keygen(file, options, terminal);
    });
}
