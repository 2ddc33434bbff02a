// Runs `tessera encrypt` and `tessera decrypt`: checks the arguments, opens the key, then reads the text.
import { runBatch } from './cipher-batch.js';
import { readCipherPassword, type CipherRequest } from './cipher-input.js';
import { checkAlias, configuredKeys, openCipher } from './cipher-keys.js';
import { checkOptions } from './cipher-options.js';
import { decryptText, encryptText } from './cipher-text.js';
import { areJasyptArguments, readJasyptArguments } from './jasypt-arguments.js';

/** A request whose arguments are not parsed yet. */
export interface UnparsedRequest extends Omit<CipherRequest, 'texts'> {
  /** Before `--`: a text, or arguments in the form of Jasypt. */
  readonly args: readonly string[];
  /** After `--`: only texts. */
  readonly literals: readonly string[];
}

/** @throws CliError, CryptoError or SettingsError */
export async function runCipherCommand(
  unparsed: UnparsedRequest,
  settings: readonly string[],
): Promise<void> {
  const request = requestOf(unparsed);
  const { task, texts, options, terminal } = request;
  checkOptions(options, texts.length);
  checkAlias(options.alias, options.keyFile);
  const encrypts = task === 'encrypt';
  const open = () =>
    openCipher(options, {
      encrypts,
      configuredKeys: () => configuredKeys(settings, encrypts, terminal),
      readPassword: () => readCipherPassword(request),
    });
  if (options.batch) {
    // An invalid key file fails the command, not each line.
    const cipher = options.keyFile === undefined ? undefined : await open();
    await runBatch(() => (cipher ? Promise.resolve(cipher) : open()), request);
  } else {
    await (encrypts ? encryptText : decryptText)(await open(), request);
  }
}

function requestOf({ args, literals, ...rest }: UnparsedRequest): CipherRequest {
  if (!areJasyptArguments(args)) return { ...rest, texts: [...args, ...literals] };
  const { texts, options } = readJasyptArguments(args, rest.options.kind);
  return { ...rest, texts: [...texts, ...literals], options: { ...options, ...rest.options } };
}
