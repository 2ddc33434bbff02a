// What `tessera rotate` can be told by options, and the keys it works with.
import { JasyptCipher, KeyRing } from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { readCipherPassword } from '../encryption/cipher-input.js';
import { iterationsOf } from '../encryption/cipher-key.js';
import { checkAlias, keysOfFile } from '../encryption/cipher-key-file.js';
import { namesPassword, type CipherOptions } from '../encryption/cipher-options.js';
import { configuredKeys } from '../encryption/cipher-settings.js';
import { Renewal, type FormerCipher } from './rotate-renewal.js';
import type { Terminal } from '../terminal.js';

type KeyOptions = Pick<
  CipherOptions,
  'alias' | 'passwordFile' | 'passwordEnv' | 'passwordStdin' | 'padding' | 'strong' | 'salt'
>;

export interface RotateOptions extends KeyOptions {
  readonly fromAlgorithm?: string;
  readonly fromIterations?: string;
  readonly fromProvider?: string;
  readonly fromIv?: boolean;
  readonly all?: boolean;
  readonly keepGoing?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export interface RotateRequest {
  readonly paths: readonly string[];
  /** The first encrypts; where there are none, the settings tell. */
  readonly keyFiles: readonly string[];
  readonly options: RotateOptions;
  /** The `--key=value` among the arguments. */
  readonly settings: readonly string[];
  readonly terminal: Terminal;
}

/** @throws CliError, CryptoError or SettingsError that names the option, key file or setting at fault */
export async function openRenewal(request: RotateRequest): Promise<Renewal> {
  const { keyFiles, options, settings, terminal } = request;
  checkOptions(request);
  const readPassword = passwordReader(request);
  const keys =
    keyFiles.length > 0
      ? await keysOfFiles(keyFiles, options, readPassword)
      : await configuredKeys(settings, true, terminal);
  return new Renewal(keys, {
    isForAll: options.all ?? false,
    former: await formerCipher(options, readPassword),
  });
}

function checkOptions({ keyFiles, options }: RotateRequest): void {
  const { fromAlgorithm, fromIterations, fromProvider, fromIv } = options;
  if (fromAlgorithm === undefined && (fromIterations ?? fromProvider ?? fromIv) !== undefined) {
    throw new CliError('--from-iterations, --from-provider and --from-iv need --from-algorithm');
  }
  if (keyFiles.length === 0 && fromAlgorithm === undefined && namesPassword(options)) {
    throw new CliError('a password needs a --key-file or a --from-algorithm that it is for');
  }
  checkAlias(options.alias, keyFiles[0]);
}

/** Reads it once, however many files it is for: standard input has it only once. */
function passwordReader({ paths, options, terminal }: RotateRequest): () => Promise<string> {
  let password: Promise<string> | undefined;
  const request = { task: 'decrypt', texts: paths, options, terminal } as const;
  return () => (password ??= readCipherPassword(request));
}

/** The first file has the key that encrypts. */
async function keysOfFiles(
  paths: readonly string[],
  options: KeyOptions,
  readPassword: () => Promise<string>,
): Promise<KeyRing> {
  const opened = paths.map((path, index) =>
    index === 0
      ? keysOfFile(path, options, { encrypts: true, alias: options.alias, readPassword })
      : keysOfFile(path, options, { encrypts: false, alias: undefined, readPassword }),
  );
  const keys = await Promise.all(opened);
  return new KeyRing(keys.flat());
}

async function formerCipher(
  { fromAlgorithm, fromIterations, fromProvider, fromIv }: RotateOptions,
  readPassword: () => Promise<string>,
): Promise<FormerCipher | undefined> {
  if (fromAlgorithm === undefined) return undefined;
  const cipher = JasyptCipher.open({
    algorithm: fromAlgorithm,
    password: await readPassword(),
    iterations: iterationsOf(fromIterations),
    provider: fromProvider,
    hasIvGenerator: fromIv,
  });
  return { name: fromAlgorithm, cipher };
}
