// The command `tessera rotate` with its options. The code that runs it is imported on demand.
import { type Command, Option } from 'commander';
import { callerPath, callerPaths } from '../input.js';
import type { Terminal } from '../terminal.js';
import type { RotateOptions } from './reencryption.js';

const NOTES = `
Every {cipher} value of YAML (.yml, .yaml, .json), .properties and Java's .xml files is encrypted again, in place, with
the newest key. Values of the newest key stay as they are, and so does the rest of the files. Links are followed
and kept; in a directory, links that lead out of it are skipped, and so are files whose names begin with a dot.
All files are read before the first is written. If a value cannot be decrypted, no file is written.
With --from-algorithm, Jasypt's ENC( ) values become {cipher} values too.
Without --key-file, the encrypt.* settings of the config server give the keys.

Exit codes: 0 done, or nothing to do; 1 an error, or wrong use; 3 a value that could not be decrypted;
78 invalid settings.

Examples:
  tessera rotate --dry-run config-repo
  tessera rotate --key-file new.key --key-file old.key config-repo/orders.yml
  tessera rotate --from-algorithm PBEWithMD5AndTripleDES --password-file old.txt sso.properties`;

type CommandOptions = RotateOptions & { readonly keyFile?: readonly string[] };

/** Does not load the database. */
export const ROTATE_COMMANDS: readonly string[] = ['rotate'];

/** Adds `rotate` to `program`. @param settings the `--key=value` arguments */
export function registerRotateCommand(
  program: Command,
  settings: readonly string[],
  terminal: Terminal,
): void {
  program
    .command('rotate')
    .description('encrypt the protected values of settings files again, with the newest key')
    .argument('<paths...>', 'files, or directories of them', callerPaths)
    .option(
      '--key-file <file>',
      'a key; repeat it for more: the first encrypts, all decrypt',
      callerPaths,
    )
    .option('--alias <alias>', 'the key that encrypts, where the first file is a key store')
    .option(
      '--password-file <file>',
      'read the password of a key store or of PEM from a file',
      callerPath,
    )
    .option('--password-env <name>', 'take it from an environment variable')
    .option('--password-stdin', 'read it from standard input')
    .addOption(new Option('--padding <name>', 'of RSA').choices(['DEFAULT', 'OAEP']))
    .option('--strong', 'of RSA: GCM')
    .option('--salt <salt>', 'of RSA: deadbeef by default')
    .option('--from-algorithm <name>', 'read what Jasypt wrote too, with the password given')
    .option('--from-iterations <number>', 'of Jasypt: 1000 by default')
    .option('--from-provider <name>', 'of Jasypt: SunJCE or BC')
    .option('--from-iv', 'of Jasypt: with an IV generator')
    .option('--all', 'encrypt values of the newest key again, too')
    .option('--keep-going', 'write the files in which all values can be decrypted')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--json', 'write a JSON object')
    .addHelpText('after', NOTES)
    .action(async (paths: string[], { keyFile = [], ...options }: CommandOptions) => {
      const { rotate } = await import('./rotate-run.js');
      await rotate({ paths, keyFiles: keyFile, options, settings, terminal });
    });
}
