// Owns the command line of Jasypt: fetching it from Debian, and running it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientPackage } from './installation.js';

/** Takes the packages apart without installing them. */
const UNPACK = `
cd "$1"
apt-get download --quiet -o APT::Sandbox::User= $(grep -v '^#' "$0")
for package in *.deb; do dpkg-deb --extract "$package" .; done
`;

export const JASYPT: ClientPackage = {
  name: 'jasypt',
  tools: [
    ['java', '-version'],
    ['dpkg-deb', '--version'],
    ['apt-cache', 'show', '--no-all-versions', 'libjasypt-java', 'libbcprov-java'],
  ],
  manifest: 'jasypt-packages.txt',
  install: (manifest, folder) => ['sh', '-ec', UNPACK, manifest, folder],
};

export class JasyptCommands {
  private readonly classPath: string;

  /** @param folder what {@link JASYPT} is installed in */
  constructor(folder: string) {
    this.classPath = join(folder, 'usr/share/java/*');
  }

  /** Algorithms by their names in capitals, as Java's own providers have them. */
  async algorithms(): Promise<readonly string[]> {
    const stdout = await this.run('AlgorithmRegistryCLI', []);
    return /^PBE ALGORITHMS:\s*\[(.*)\]$/m.exec(stdout)?.[1]?.split(', ') ?? [];
  }

  /** @param args as Jasypt has them: `password=…` */
  encrypt(args: readonly string[]): Promise<string> {
    return this.run('JasyptPBEStringEncryptionCLI', ['verbose=false', ...args]);
  }

  /** Empty where it could not be decrypted: Jasypt ends with code 0 even so. */
  decrypt(args: readonly string[]): Promise<string> {
    return this.run('JasyptPBEStringDecryptionCLI', ['verbose=false', ...args]);
  }

  /** Its standard output, without the last line end. */
  private async run(command: string, args: readonly string[]): Promise<string> {
    const options = ['-XX:TieredStopAtLevel=1', '-cp', this.classPath];
    const all = [...options, `org.jasypt.intf.cli.${command}`, ...args];
    // Arguments are read in the encoding of the machine.
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' };
    const { stdout } = await promisify(execFile)('java', all, { env });
    return stdout.replace(/\n$/, '');
  }
}
