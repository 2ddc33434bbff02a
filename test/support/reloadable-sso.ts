// An SSO server with what its reloads change: users, certificates of two authorities and two fake LDAP servers.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { ReloadOutcome } from '@tessera/config';
import { makeFolder, removeFolder } from './folders.js';
import { http, type Call, type Reply } from './http.js';
import { FakeLdapServer, type Answer } from './fake-ldap-server.js';
import { bindAnswer, message } from './ldap-messages.js';
import { issueList } from './pki/test-certificate.js';
import { createTestPki } from './pki/test-pki.js';
import { APP, startSso, type Sso } from './sso.js';
import { newTicket, validate } from './validation.js';

export type Settings = Readonly<Record<string, unknown>>;

const PROGRAM = [
  '--sso.modules=rest,rest-services,rest-x509',
  '--sso.authentication.handlers=static,accounts,ldap',
];
const INVALID_CREDENTIALS = 49;

export const refuseBind: Answer = (id) => message(id, bindAnswer(INVALID_CREDENTIALS));

interface Directories {
  /** The server in the start settings; it rejects every bind. */
  readonly first: FakeLdapServer;
  /** Its only user is alice; it accepts every password. */
  readonly other: FakeLdapServer;
}

interface Certificates {
  /** Contains `ca0.pem`, `ca0.crl` that expires in nine days, `ca1.pem`, and `no-ca.pem` without an authority. */
  readonly folder: string;
  /** Client certificates in PEM, one of each authority. */
  readonly clients: readonly string[];
}

export class ReloadableSso {
  /** Log lines of the current test. */
  logLines: readonly string[] = [];
  private addresses = 0;
  private seenLines = 0;

  private constructor(
    readonly sso: Sso,
    readonly startSettings: Settings,
    readonly directories: Directories,
    readonly certificates: Certificates,
  ) {}

  static async start(): Promise<ReloadableSso> {
    const certificates = await makeCertificates();
    const directories = {
      first: await FakeLdapServer.start(),
      other: await FakeLdapServer.start(),
    };
    const base = startSettingsFor(directories, certificates);
    const files = { 'sso.yml': JSON.stringify(base) };
    const sso = await startSso({ settings: PROGRAM, files });
    return new ReloadableSso(sso, base, directories, certificates);
  }

  /** Restores the start settings and clears the log; for `beforeEach`. */
  async reset(): Promise<void> {
    this.directories.first.onBind = refuseBind;
    expect(await this.change({})).toMatchObject({ restart: [] });
    const lines: string[] = [];
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
    this.logLines = lines;
    this.seenLines = 0;
  }

  /** Reloads with these settings added to the start settings. */
  change(settings: Settings): Promise<ReloadOutcome> {
    return this.sso.reconfigure({ ...this.startSettings, ...settings });
  }

  /** Requests a TGT, by default from a new client address. */
  post(form: Readonly<Record<string, string>>, call: Call = {}): Promise<Reply> {
    const all = { form, localAddress: this.newAddress(), ...call };
    return http('POST', this.sso.url, '/v1/tickets', all);
  }

  /** Whether a revocation list was warned of since the last call, or is warned of by a check for expiry. */
  warnsOfExpiringLists(): boolean {
    this.sso.checkExpiry();
    const lines = this.logLines.slice(this.seenLines);
    this.seenLines = this.logLines.length;
    return lines.some((line) => line.includes('a revocation list expires soon'));
  }

  newAddress(): string {
    this.addresses += 1;
    return `127.1.${this.addresses >> 8}.${this.addresses & 255}`;
  }

  /** @returns the status */
  async login(username: string, password = 'Mellon', call?: Call): Promise<number> {
    return (await this.post({ username, password }, call)).status;
  }

  /** Sends logins with a wrong password, one after the other. @returns the statuses */
  async failedLogins(count: number, localAddress = this.newAddress()): Promise<number[]> {
    const statuses: number[] = [];
    while (statuses.length < count) {
      statuses.push(await this.login('ann', 'wrong', { localAddress }));
    }
    return statuses;
  }

  /** The mail attribute that a validation endpoint releases. */
  async releasedMail(path: string): Promise<string> {
    const ticket = await newTicket(this.sso);
    const { body } = await validate(this.sso, path, { service: APP, ticket });
    return /<cas:mail>(.*)<\/cas:mail>/.exec(body)?.[1] ?? 'none';
  }

  async close(): Promise<void> {
    await this.sso.close();
    this.directories.first.close();
    this.directories.other.close();
    await removeFolder(this.certificates.folder);
  }
}

async function makeCertificates(): Promise<Certificates> {
  const folder = await makeFolder();
  const authorities = [await createTestPki('One'), await createTestPki('Other')];
  const issued = authorities.map((pki) => pki.client({ subject: 'CN=carol' }));
  const clients = (await Promise.all(issued)).map(({ pem }) => pem);
  for (const [index, { bundle }] of authorities.entries()) {
    await writeFile(join(folder, `ca${index}.pem`), bundle);
  }
  const issuers = authorities.slice(0, 1).flatMap(({ root, intermediate }) => [root, intermediate]);
  const lists = await Promise.all(issuers.map((issuer) => issueList({ issuer, days: [-1, 9] })));
  await writeFile(join(folder, 'ca0.crl'), lists.map(({ pem }) => pem).join(''));
  await writeFile(join(folder, 'no-ca.pem'), clients[0] ?? '');
  return { folder, clients };
}

function startSettingsFor({ first }: Directories, { folder }: Certificates): Settings {
  return {
    'sso.authentication.accounts.argon2.memory': 8,
    'sso.authentication.accounts.argon2.iterations': 1,
    'sso.authentication.accounts.argon2.parallelism': 1,
    'sso.authentication.static.users': ['casuser::Mellon', 'ann::Mellon'],
    'sso.authentication.static.attributes': {
      casuser: { mail: 'c@example.org', memberOf: 'admin' },
      ann: { mail: 'ann@example.net', memberOf: 'ops' },
    },
    'sso.authentication.ldap.urls': first.url,
    'sso.authentication.ldap.user-dn': 'uid={username},dc=example',
    'sso.rest.services.role-name': 'memberOf',
    'sso.rest.services.role-value': 'admin',
    'sso.rest.x509.ca-file': join(folder, 'ca0.pem'),
    'sso.rest.x509.principal': 'cn',
    'sso.rest.x509.trusted-hosts': '127.0.0.0/8',
  };
}
