// Reads arguments as Jasypt's command line takes them: `input=… password=… algorithm=…`.
import { CliError } from '../cli-error.js';
import { SEVERAL_TEXTS, type CipherOptions, type Kind } from './cipher-options.js';

/** What Jasypt itself uses where no algorithm is named. */
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

/** What Jasypt's way of writing arguments says of other kinds as well. */
const OF_ALL_KINDS: readonly Name[] = ['input', 'password', 'verbose'];

const isName = (name: string): name is Name => NAMES.some((known) => known === name);

export interface JasyptArguments {
  readonly texts: readonly string[];
  readonly options: CipherOptions;
}

/** Whether arguments are of that kind: several, or one that starts with a name Jasypt has. */
export function areJasyptArguments(args: readonly string[]): boolean {
  return args.length > 1 || isName(args[0]?.split('=', 1)[0] ?? '');
}

/**
 * @param kind that an option asks for, if any
 * @throws CliError naming what is unknown, said twice, not to be had here, or of no use to the kind
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
  oneOf(given, 'saltGeneratorClassName', { 'org.jasypt.salt.RandomSaltGenerator': undefined });
  const unused = [...given.keys()].find((name) => !OF_ALL_KINDS.includes(name));
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
        provider: given.get('providerName') ?? oneOf(given, 'providerClassName', PROVIDERS),
        iv: oneOf(given, 'ivGeneratorClassName', IV_GENERATORS),
        hexadecimal: oneOf(given, 'stringOutputType', { base64: false, hexadecimal: true }),
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

/** Jasypt's name for them is the long one; most write the short one. */
function iterationsOf(given: ReadonlyMap<Name, string>): string | undefined {
  const short = given.get('iterations');
  const long = given.get('keyObtentionIterations');
  if (short !== undefined && long !== undefined && short !== long) {
    throw new CliError('iterations= and keyObtentionIterations= are the same, and differ');
  }
  return short ?? long;
}

/** What the value stands for, with or without the package in front of a class. */
function oneOf<T>(
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

/** Without what is undefined. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
