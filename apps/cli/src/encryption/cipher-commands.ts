// The commands `tessera encrypt` and `tessera decrypt` with their options. The code that runs them is imported on demand.
import { type Command, Option } from 'commander';
import { KINDS, type CipherOptions } from './cipher-options.js';
import type { CipherRequest } from './cipher-input.js';
import { callerPath } from '../input.js';
import type { Terminal } from '../terminal.js';

const NOTES = `
Without a password or --key-file, the encrypt.* settings of the config server give the key.
Put a text that begins with -, or that looks like one of Jasypt's arguments, after --.
The text may also come from standard input, without its last line end, or from a prompt.
Arguments may have the form of Jasypt: input=… password=… algorithm=… iterations=…
saltGeneratorClassName=… ivGeneratorClassName=… providerName=… stringOutputType=…

Exit codes: 0 done; 1 an error, or wrong use; 3 a text that could not be decrypted, or with --batch at
least one line that failed; 78 invalid settings.`;

const EXAMPLES = {
  encrypt: `

Examples:
  tessera encrypt --prefix < secret.txt
  tessera encrypt --password-file key.txt --algorithm PBEWithHmacSHA512AndAES_256
  tessera encrypt --key-file keys.p12 --alias next --password-file store.txt < secret.txt
  tessera decrypt --batch < old.jsonl | tessera encrypt --batch --key-file new.key`,
  decrypt: `

Examples:
  tessera decrypt '{cipher}v1.9f86d081.…'
  tessera decrypt --password-env KEY --algorithm PBEWithMD5AndDES < value.txt
  tessera decrypt --batch < values.jsonl`,
};

/** Do not load the database. */
export const CIPHER_COMMANDS: readonly string[] = ['encrypt', 'decrypt'];

/** Adds `encrypt` and `decrypt` to `program`. @param settings the `--key=value` arguments */
export function registerCipherCommands(
  program: Command,
  settings: readonly string[],
  terminal: Terminal,
): void {
  const encrypt = withOptions(program.command('encrypt'))
    .description('encrypt a text, to be kept in a settings file')
    .option('--prefix', 'write {cipher} in front, as settings files need it')
    .addHelpText('after', NOTES + EXAMPLES.encrypt);
  const decrypt = withOptions(program.command('decrypt'))
    .description("decrypt a text, with or without {cipher} in front or Jasypt's ENC( ) around it")
    .addHelpText('after', NOTES + EXAMPLES.decrypt);
  const run = async (task: CipherRequest['task'], args: string[], options: CipherOptions) => {
    const { runCipherCommand } = await import('./cipher-run.js');
    const literals = literalsOf(program, args);
    const argsBefore = args.slice(0, args.length - literals.length);
    await runCipherCommand({ task, args: argsBefore, literals, options, terminal }, settings);
  };
  encrypt.action((args: string[], options: CipherOptions) => run('encrypt', args, options));
  decrypt.action((args: string[], options: CipherOptions) => run('decrypt', args, options));
}

/** The last of `args`, if they follow `--`. Only `rawArgs` of commander shows that, and its types omit it. */
function literalsOf(program: Command, args: readonly string[]): readonly string[] {
  const { rawArgs = [] } = program as { readonly rawArgs?: readonly string[] };
  const end = rawArgs.indexOf('--');
  const literals = end < 0 ? [] : rawArgs.slice(end + 1);
  return args.slice(Math.max(0, args.length - literals.length));
}

function withOptions(command: Command): Command {
  return command
    .argument('[text...]', 'the text; others can see it while the command runs')
    .option('--input-file <file>', 'read the text from a file', callerPath)
    .option('--password-file <file>', 'read the password from a file', callerPath)
    .option('--password-env <name>', 'take the password from an environment variable')
    .option('--password-stdin', 'read the password from standard input')
    .option(
      '--key-file <file>',
      'a key: of tessera keygen, PEM, or a PKCS#12 key store',
      callerPath,
    )
    .option('--alias <alias>', 'the key in a key store, where that holds several')
    .addOption(new Option('--kind <kind>', 'with a password: aes-gcm by default').choices(KINDS))
    .option('--algorithm <name>', "one of Jasypt's, such as PBEWithHmacSHA512AndAES_256")
    .option('--iterations <number>', 'of Jasypt: 1000 by default')
    .option('--provider <name>', 'of Jasypt: SunJCE or BC')
    .option('--iv', 'of Jasypt: with an IV generator')
    .option('--salt <salt>', 'of a password or RSA key: deadbeef by default')
    .addOption(new Option('--padding <name>', 'of RSA').choices(['DEFAULT', 'OAEP']))
    .option('--strong', 'of RSA: GCM')
    .option('--json', 'write a JSON object')
    .option('--batch', 'answer JSON lines of standard input, one each; see docs/encryption.md');
}
