// Jasypt's command line and ours decrypt each other's texts, with the algorithms of Java and Bouncy Castle.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Program } from '../support/process.js';
import {
  type ClientPackage,
  debianTools,
  INSTALL_TIMEOUT_MS,
  installClient,
  isSkipped,
  unpackDebianPackages,
} from './installation.js';

const JASYPT: ClientPackage = {
  name: 'jasypt',
  tools: [['java', '-version'], ...debianTools('libjasypt-java', 'libbcprov-java')],
  manifest: 'jasypt-packages.txt',
  install: unpackDebianPackages,
};

class JasyptCommands {
  private readonly classPath: string;

  /** @param folder of the installed {@link JASYPT} */
  constructor(folder: string) {
    this.classPath = join(folder, 'usr/share/java/*');
  }

  /** Upper-case names of the algorithms of Java's own providers. */
  async algorithms(): Promise<readonly string[]> {
    const stdout = await this.run('AlgorithmRegistryCLI', []);
    return /^PBE ALGORITHMS:\s*\[(.*)\]$/m.exec(stdout)?.[1]?.split(', ') ?? [];
  }

  /** @param args as Jasypt takes them: `password=…` */
  encrypt(args: readonly string[]): Promise<string> {
    return this.run('JasyptPBEStringEncryptionCLI', ['verbose=false', ...args]);
  }

  /** Empty if the text cannot be decrypted; Jasypt exits with code 0 in this case too. */
  decrypt(args: readonly string[]): Promise<string> {
    return this.run('JasyptPBEStringDecryptionCLI', ['verbose=false', ...args]);
  }

  /** @returns standard output without the last line end */
  private async run(command: string, args: readonly string[]): Promise<string> {
    const options = ['-XX:TieredStopAtLevel=1', '-cp', this.classPath];
    const all = [...options, `org.jasypt.intf.cli.${command}`, ...args];
    // Java reads arguments in the encoding of the locale.
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' };
    const { stdout } = await promisify(execFile)('java', all, { env });
    return stdout.replace(/\n$/, '');
  }
}

const TEXT = `Zoë & <O'Hara> = + 😀`;
// Java's own algorithms accept ASCII only.
const PASSWORD = 'password=Mellon & "Moria" = +';
const OTHER_PASSWORD = 'password=mellon';
const WITH_IV = 'ivGeneratorClassName=org.jasypt.iv.RandomIvGenerator';
const BOUNCY_CASTLE = 'providerClassName=org.bouncycastle.jce.provider.BouncyCastleProvider';

const JAVA_ALGORITHMS = [
  'PBEWithMD5AndDES',
  'PBEWithMD5AndTripleDES',
  'PBEWithSHA1AndDESede',
  'PBEWithSHA1AndRC2_40',
  'PBEWithSHA1AndRC2_128',
  'PBEWithSHA1AndRC4_40',
  'PBEWithSHA1AndRC4_128',
];
const JAVA_ALGORITHMS_WITH_IV = ['1', '224', '256', '384', '512'].flatMap((size) => [
  `PBEWithHmacSHA${size}AndAES_128`,
  `PBEWithHmacSHA${size}AndAES_256`,
]);
const ALL_JAVA_ALGORITHMS = [...JAVA_ALGORITHMS, ...JAVA_ALGORITHMS_WITH_IV];
const BOUNCY_CASTLE_ALGORITHMS = [
  'PBEWithSHA1AndDES',
  'PBEWITHMD5ANDRC2',
  'PBEWITHSHA1ANDRC2',
  'PBEWITHSHAAND2-KEYTRIPLEDES-CBC',
  'PBEWITHSHAAND3-KEYTRIPLEDES-CBC',
  'PBEWITHSHAAND40BITRC2-CBC',
  'PBEWITHSHAAND128BITRC2-CBC',
  'PBEWITHSHAAND40BITRC4',
  'PBEWITHSHAAND128BITRC4',
  ...['128', '192', '256'].flatMap((size) => [
    `PBEWITHSHAAND${size}BITAES-CBC-BC`,
    `PBEWITHSHA256AND${size}BITAES-CBC-BC`,
  ]),
];

type Row = readonly [title: string, args: readonly string[]];

const row = (name: string, ...args: readonly string[]): Row => [
  args.includes(WITH_IV) ? `${name} with an IV` : name,
  [`algorithm=${name}`, ...args],
];

const ROWS: readonly Row[] = [
  ...JAVA_ALGORITHMS.map((name) => row(name)),
  ...ALL_JAVA_ALGORITHMS.map((name) => row(name, WITH_IV)),
  ...BOUNCY_CASTLE_ALGORITHMS.map((name) => row(name, BOUNCY_CASTLE)),
  ...BOUNCY_CASTLE_ALGORITHMS.map((name) => row(name, BOUNCY_CASTLE, WITH_IV)),
  ['the default algorithm', []],
  ['seven iterations', ['keyObtentionIterations=7']],
  ['hexadecimal digits', ['stringOutputType=hexadecimal']],
];

async function tessera(command: 'encrypt' | 'decrypt', args: readonly string[]) {
  const program = Program.start('cli', [command, ...args]);
  const { code } = await program.ended;
  return { code, stdout: program.stdout.replace(/\n$/, '') };
}

const describeIfInstalled = isSkipped(JASYPT) ? describe.skip : describe;

describeIfInstalled("Jasypt's command line", () => {
  let jasypt: JasyptCommands;
  beforeAll(async () => {
    jasypt = new JasyptCommands(await installClient(JASYPT));
  }, INSTALL_TIMEOUT_MS);

  test('has no algorithm of Java that we do not read', async () => {
    const names = ALL_JAVA_ALGORITHMS.map((name) => name.toUpperCase());
    expect(await jasypt.algorithms()).toEqual(names.toSorted());
  });

  test('reads nothing of ours with another password, nor do we of its', async () => {
    const algorithm = ['algorithm=PBEWithHmacSHA512AndAES_256', WITH_IV];
    const { stdout } = await tessera('encrypt', [`input=${TEXT}`, PASSWORD, ...algorithm]);
    const read = await jasypt.decrypt([`input=${stdout}`, OTHER_PASSWORD, ...algorithm]);
    expect(read).not.toContain(TEXT);
    const written = await jasypt.encrypt([`input=${TEXT}`, PASSWORD, ...algorithm]);
    expect(await tessera('decrypt', [`input=${written}`, OTHER_PASSWORD, ...algorithm])).toEqual({
      code: 3,
      stdout: '',
    });
  });

  test.each(ROWS)('and ours agree about %s', async (_title, args) => {
    const text = [`input=${TEXT}`, PASSWORD, ...args];
    const [ours, theirs] = await Promise.all([tessera('encrypt', text), jasypt.encrypt(text)]);
    const [readByThem, readByUs] = await Promise.all([
      jasypt.decrypt([`input=${ours.stdout}`, PASSWORD, ...args]),
      tessera('decrypt', [`input=${theirs}`, PASSWORD, ...args]),
    ]);
    expect(readByThem).toBe(TEXT);
    expect(readByUs).toEqual({ code: 0, stdout: TEXT });
  });
});
