// `tessera rotate`: the command and its options. What it does is in files of its own, loaded when it is done.
import { type Command, Option } from 'commander';
import type { RotateOptions } from './rotate-options.js';
import type { Terminal } from '../terminal.js';

const NOTES = `
Every {cipher} value of YAML (.yml, .yaml, .json) and .properties files is written anew, in its place, with
the newest key; what it already wrote is left, and so is all else in the files. Links are followed, and
stay; in a directory, none that leads out of it. Files whose names begin with a dot are passed over.
All files are read before the first is written, and none is where a value cannot be decrypted.
With --from-algorithm, Jasypt's ENC( ) values become {cipher} values too.
Without --key-file, the encrypt.* settings of the config server give the keys.

Exit codes: 0 done, or nothing to do; 1 a fault, or wrong use; 3 a value that could not be decrypted;
78 settings that are wrong.

Examples:
  tessera rotate --dry-run config-repo
  tessera rotate --key-file new.key --key-file old.key config-repo/orders.yml
  tessera rotate --from-algorithm PBEWithMD5AndTripleDES --password-file old.txt sso.properties`;

type CommandOptions = RotateOptions & { readonly keyFile?: readonly string[] };

/** It needs no database, nor what belongs to it. */
export const ROTATE_COMMANDS: readonly string[] = ['rotate'];

/** Adds `rotate` to `program`. @param settings the `--key=value` among the arguments */
export function registerRotateCommand(
  program: Command,
  settings: readonly string[],
  terminal: Terminal,
): void {
  program
    .command('rotate')
    .description('write the protected values of settings files anew, with the newest key')
    .argument('<paths...>', 'files, or directories of them')
    .option(
      '--key-file <file>',
      'a key; repeat it for more: the first encrypts, all decrypt',
      collect,
    )
    .option('--alias <alias>', 'the key that encrypts, where the first file is a key store')
    .option('--password-file <file>', 'read the password of a key store or of PEM from a file')
    .option('--password-env <name>', 'take it from an environment variable')
    .option('--password-stdin', 'read it from standard input')
    .addOption(new Option('--padding <name>', 'of RSA').choices(['DEFAULT', 'OAEP']))
    .option('--strong', 'of RSA: GCM')
    .option('--salt <salt>', 'of RSA: deadbeef unless told')
    .option('--from-algorithm <name>', 'read what Jasypt wrote too, with the password given')
    .option('--from-iterations <number>', 'of Jasypt: 1000 unless told')
    .option('--from-provider <name>', 'of Jasypt: SunJCE or BC')
    .option('--from-iv', 'of Jasypt: with an IV generator')
    .option('--all', 'write those anew too that the newest key wrote')
    .option('--keep-going', 'write the files in which all can be decrypted, whatever is in others')
    .option('--dry-run', 'tell what would be written, and write nothing')
    .option('--json', 'write a JSON object')
    .addHelpText('after', NOTES)
    .action(async (paths: string[], { keyFile = [], ...options }: CommandOptions) => {
      const { rotate } = await import('./rotate-run.js');
      await rotate({ paths, keyFiles: keyFile, options, settings, terminal });
    });
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
