// Parses arguments in the form of Jasypt's command line: `input=… password=… algorithm=…`.
import { CliError } from '../cli-error.js';
import { SEVERAL_TEXTS, type CipherOptions, type Kind } from './cipher-options.js';

/** The default of Jasypt. */
const DEFAULT_ALGORITHM = 'PBEWithMD5AndDES';

const NAMES = [
  'input',
  'password',
  'algorithm',
  'iterations',
  'keyObtentionIterations',
  'saltGeneratorClassName',
  'ivGeneratorClassName',
  'providerName',
  'providerClassName',
  'stringOutputType',
  'verbose',
] as const;
type Name = (typeof NAMES)[number];

/** Arguments that apply to other kinds as well. */
const FOR_ALL_KINDS: readonly Name[] = ['input', 'password', 'verbose'];

const isName = (name: string): name is Name => NAMES.some((known) => known === name);

export interface JasyptArguments {
  readonly texts: readonly string[];
  readonly options: CipherOptions;
}

/** Whether the arguments have that form: several, or one that starts with a name of Jasypt. */
export function areJasyptArguments(args: readonly string[]): boolean {
  return args.length > 1 || isName(args[0]?.split('=', 1)[0] ?? '');
}

/**
 * @param kind from the option `--kind`
 * @throws CliError naming an argument that is unknown, repeated, unsupported, or does not apply to the kind
 */
export function readJasyptArguments(
  args: readonly string[],
  kind: Kind = 'jasypt',
): JasyptArguments {
  const given = new Map<Name, string>();
  for (const argument of args) {
    const { name, value } = nameAndValue(argument);
    if (given.has(name)) throw new CliError(`${name}= is given twice`);
    given.set(name, value);
  }
  meaningOf(given, 'saltGeneratorClassName', { 'org.jasypt.salt.RandomSaltGenerator': undefined });
  const unused = [...given.keys()].find((name) => !FOR_ALL_KINDS.includes(name));
  if (kind !== 'jasypt' && unused !== undefined) {
    throw new CliError(`${unused}= goes with --kind jasypt, not ${kind}`);
  }
  const input = given.get('input');
  return {
    texts: input === undefined ? [] : [input],
    options: {
      kind,
      ...defined({
        algorithm: kind === 'jasypt' ? (given.get('algorithm') ?? DEFAULT_ALGORITHM) : undefined,
        password: given.get('password'),
        iterations: iterationsOf(given),
        provider: given.get('providerName') ?? meaningOf(given, 'providerClassName', PROVIDERS),
        iv: meaningOf(given, 'ivGeneratorClassName', IV_GENERATORS),
        hexadecimal: meaningOf(given, 'stringOutputType', { base64: false, hexadecimal: true }),
      }),
    },
  };
}

const IV_GENERATORS = {
  'org.jasypt.iv.RandomIvGenerator': true,
  'org.jasypt.iv.NoIvGenerator': false,
};

const PROVIDERS = {
  'com.sun.crypto.provider.SunJCE': 'SunJCE',
  'org.bouncycastle.jce.provider.BouncyCastleProvider': 'BC',
};

function nameAndValue(argument: string): { name: Name; value: string } {
  const separator = argument.indexOf('=');
  if (separator < 0) {
    throw new CliError(SEVERAL_TEXTS);
  }
  const name = argument.slice(0, separator);
  if (!isName(name)) {
    throw new CliError(`unknown argument ${name}=: there are ${NAMES.join('=, ')}=`);
  }
  return { name, value: argument.slice(separator + 1) };
}

/** Jasypt documents `keyObtentionIterations`; `iterations` is a common short form. */
function iterationsOf(given: ReadonlyMap<Name, string>): string | undefined {
  const short = given.get('iterations');
  const long = given.get('keyObtentionIterations');
  if (short !== undefined && long !== undefined && short !== long) {
    throw new CliError('iterations= and keyObtentionIterations= are the same, and differ');
  }
  return short ?? long;
}

/** The meaning of the value, which may be a class name with or without its package. */
function meaningOf<T>(
  given: ReadonlyMap<Name, string>,
  name: Name,
  meanings: Readonly<Record<string, T>>,
): T | undefined {
  const value = given.get(name);
  if (value === undefined) return undefined;
  const found = Object.entries(meanings).find(
    ([full]) => full === value || full.slice(full.lastIndexOf('.') + 1) === value,
  );
  if (!found) {
    const known = Object.keys(meanings).join(' or ');
    throw new CliError(`${name}=${value} is not supported: only ${known}`);
  }
  return found[1];
}

/** Without undefined members. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
