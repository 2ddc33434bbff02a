// Runs OpenLDAP (slapd of Debian) as a process, on free ports of 127.0.0.1, with its data in a temporary folder.
// Without slapd, the tests that need it are skipped with a message.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, test } from '@jest/globals';
import { Attribute, Change, Client } from 'ldapts';
import { makeFolder, removeFolder } from './folders.js';
import { until } from './until.js';

const { PATH = '', SLAPD: CONFIGURED_PATH } = process.env;
const USUAL_PATHS = [...PATH.split(delimiter), '/usr/sbin'].map((folder) => join(folder, 'slapd'));

/** Path of the program; undefined if it is not installed. The variable `SLAPD` overrides it. */
const SLAPD = (CONFIGURED_PATH === undefined ? USUAL_PATHS : [CONFIGURED_PATH]).find((path) =>
  existsSync(path),
);

export const BASE = 'dc=example,dc=org';
export const PEOPLE = `ou=people,${BASE}`;
export const SERVICE_ACCOUNT = { dn: `cn=search,${BASE}`, password: 'look, do not touch' };

const ROOT = { dn: `cn=root,${BASE}`, password: 'may do everything' };

const SCHEMAS = ['core', 'cosine', 'inetorgperson'];

/** An entry: its DN, and values by attribute. */
export interface Entry {
  readonly dn: string;
  readonly [attribute: string]: string | readonly (string | Buffer)[];
}

export interface SlapdOptions {
  /** Added to the roots of the tree and the service account. */
  readonly entries?: readonly Entry[];
  /** PEM files of the server's certificate and its key. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Access rule for entries without their passwords. By default the service account and the user can read. */
  readonly readers?: string;
  /** Access rule for passwords: by default nobody reads or writes them. */
  readonly passwords?: string;
  /** Further lines of slapd.conf, for the server and for the database. */
  readonly global?: string;
  readonly database?: string;
}

/** `describe` if slapd is installed. Otherwise one test reports that the tests are skipped. */
export function describeWithSlapd(title: string, tests: () => void): void {
  if (SLAPD !== undefined) {
    describe(title, tests);
    return;
  }
  test(`left out without slapd: ${title}`, () => {
    process.stderr.write(`slapd is not installed: the tests of "${title}" are left out\n`);
  });
}

export class Slapd {
  private child: ChildProcess | undefined;
  private log = '';

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly tlsPort: number,
  ) {}

  static async start(options: SlapdOptions = {}): Promise<Slapd> {
    if (SLAPD === undefined) throw new Error('slapd is not installed');
    const folder = await makeFolder();
    await mkdir(join(folder, 'data'));
    // The AppArmor profile, which denies access to temporary folders, does not apply to a copy.
    await copyFile(SLAPD, join(folder, 'slapd'));
    await writeFile(join(folder, 'slapd.conf'), configuration(folder, options));
    await writeFile(join(folder, 'data.ldif'), ldif([...ROOTS, ...(options.entries ?? [])]));
    const slapd = new Slapd(folder, await freePort(), await freePort());
    slapd.load();
    await slapd.restart();
    return slapd;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  get tlsUrl(): string {
    return `ldaps://127.0.0.1:${this.tlsPort}`;
  }

  /** Its log of connections and operations, from `mark` on. @param mark a former {@link logLength} */
  logSince(logLength = 0): string {
    return this.log.slice(logLength);
  }

  get mark(): number {
    return this.log.length;
  }

  /** Starts it again on the same ports, also after {@link stop}. */
  async restart(): Promise<void> {
    await this.stop();
    const listen = `${this.url} ${this.tlsUrl}`;
    const child = spawn(
      join(this.folder, 'slapd'),
      ['-f', join(this.folder, 'slapd.conf'), '-h', listen, '-d', 'stats'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    this.child = child;
    await until('slapd listens', () => {
      if (child.exitCode !== null) throw new Error(`slapd ended: ${this.log}`);
      return accepts(this.port);
    });
  }

  /** Connections bound with the old password stay bound. */
  changePassword(dn: string, password: string): Promise<void> {
    return this.replace(dn, 'userPassword', password);
  }

  /** Replaces the values of an attribute. */
  async replace(dn: string, type: string, value: string): Promise<void> {
    const client = new Client({ url: this.url });
    try {
      await client.bind(ROOT.dn, ROOT.password);
      const modification = new Attribute({ type, values: [value] });
      await client.modify(dn, new Change({ operation: 'replace', modification }));
    } finally {
      await client.unbind();
    }
  }

  /** Stops the process and keeps its data. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill();
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await removeFolder(this.folder);
  }

  /** Loads the entries into the database before the start, as slapadd does. */
  private load(): void {
    const file = (name: string) => join(this.folder, name);
    const args = ['-T', 'add', '-f', file('slapd.conf'), '-l', file('data.ldif')];
    const { status, stderr } = spawnSync(file('slapd'), args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`slapd did not load the entries: ${stderr}`);
  }
}

function configuration(folder: string, options: SlapdOptions): string {
  const { tls, readers = READERS, passwords = '', global = '', database = '' } = options;
  const tlsLines =
    tls === undefined
      ? ''
      : `TLSCertificateFile ${tls.certificate}\nTLSCertificateKeyFile ${tls.key}\n`;
  return `${SCHEMAS.map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
${tlsLines}${global}
database mdb
suffix ${BASE}
rootdn ${ROOT.dn}
rootpw "${ROOT.password}"
directory ${join(folder, 'data')}
index uid,cn,mail eq
access to attrs=userPassword ${passwords} by anonymous auth by * none
access to * ${readers} by * none
${database}
`;
}

const READERS = `by dn.exact="${SERVICE_ACCOUNT.dn}" read by self read`;
const ROOTS: readonly Entry[] = [
  { dn: BASE, objectClass: ['organization', 'dcObject'], dc: 'example', o: 'Example' },
  { dn: PEOPLE, objectClass: 'organizationalUnit', ou: 'people' },
  {
    dn: SERVICE_ACCOUNT.dn,
    objectClass: ['applicationProcess', 'simpleSecurityObject'],
    cn: 'search',
    userPassword: SERVICE_ACCOUNT.password,
  },
];

/** Every value in Base64, so that none needs quoting. */
function ldif(entries: readonly Entry[]): string {
  const encoded = (value: string | Buffer) =>
    (typeof value === 'string' ? Buffer.from(value) : value).toString('base64');
  return entries
    .map((entry) =>
      Object.entries(entry)
        .flatMap(([name, values]) =>
          [values].flat().map((value) => `${name}:: ${encoded(value)}\n`),
        )
        .join(''),
    )
    .join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
