// An SSO server with what its reloads change: users, the files of an authority and two fake LDAP servers.
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { ReloadOutcome } from '@tessera/config';
import { makeFolder, removeFolder } from './folders.js';
import { http, type Call, type Reply } from './http.js';
import { FakeLdapServer, type Answer } from './fake-ldap-server.js';
import { bindAnswer, message } from './ldap-messages.js';
import type { TestCertificate } from './pki/test-certificate.js';
import { createTestPki, type TestPki } from './pki/test-pki.js';
import { startSso, type Sso } from './sso.js';

export type Settings = Readonly<Record<string, unknown>>;

const PROGRAM = [
  '--sso.modules=rest,rest-services,rest-x509',
  '--sso.authentication.handlers=static,ldap',
];
const INVALID_CREDENTIALS = 49;

export const refuseBind: Answer = (id) => message(id, bindAnswer(INVALID_CREDENTIALS));

interface Directories {
  /** The server in the start settings; it rejects every bind. */
  readonly first: FakeLdapServer;
  /** Its only user is alice; it accepts every password. */
  readonly other: FakeLdapServer;
}

interface Authority {
  readonly pki: TestPki;
  readonly carol: TestCertificate;
}

export class ReloadableSso {
  /** Log lines of the current test. */
  logLines: readonly string[] = [];
  private addresses = 0;

  private constructor(
    readonly sso: Sso,
    readonly directories: Directories,
    /** Of the files `ca.pem` and `ca.crl`. */
    readonly authority: Authority,
    private readonly folder: string,
  ) {}

  static async start(): Promise<ReloadableSso> {
    const folder = await makeFolder();
    const pki = await createTestPki('Reload');
    const authority = { pki, carol: await pki.client({ subject: 'CN=carol' }) };
    await writeFile(join(folder, 'ca.pem'), pki.bundle);
    await writeFile(join(folder, 'ca.crl'), await pki.lists());
    const directories = {
      first: await FakeLdapServer.start(),
      other: await FakeLdapServer.start(),
    };
    const files = { 'sso.yml': JSON.stringify(startSettingsFor(directories, folder)) };
    const sso = await startSso({ settings: PROGRAM, files });
    return new ReloadableSso(sso, directories, authority, folder);
  }

  /** Restores the start settings and files, and clears the log; for `beforeEach`. */
  async reset(): Promise<void> {
    const { pki } = this.authority;
    this.directories.first.onBind = refuseBind;
    await writeFile(this.path('ca.pem'), pki.bundle);
    await writeFile(this.path('ca.crl'), await pki.lists());
    expect(await this.change({})).toMatchObject({ restart: [] });
    const lines: string[] = [];
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
    this.logLines = lines;
  }

  /** Adds these settings to the start settings in the file. */
  write(settings: Settings): Promise<void> {
    const all = { ...startSettingsFor(this.directories, this.folder), ...settings };
    return this.sso.writeSettings('sso.yml', JSON.stringify(all));
  }

  /** Reloads with these settings added to the start settings. */
  async change(settings: Settings): Promise<ReloadOutcome> {
    await this.write(settings);
    return this.sso.reload();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Puts a file there as `cp` does. */
  async replace(name: string, content: string): Promise<void> {
    await writeFile(this.path('new'), content);
    await copyFile(this.path('new'), this.path(name));
  }

  /** Requests a TGT, by default from a new client address. */
  post(form: Readonly<Record<string, string>>, call: Call = {}): Promise<Reply> {
    const all = { form, localAddress: this.newAddress(), ...call };
    return http('POST', this.sso.url, '/v1/tickets', all);
  }

  newAddress(): string {
    this.addresses += 1;
    return `127.1.${this.addresses >> 8}.${this.addresses & 255}`;
  }

  /** @returns the status */
  async login(username: string, password = 'Mellon', call?: Call): Promise<number> {
    return (await this.post({ username, password }, call)).status;
  }

  /** Logs in with carol's certificate. @returns the status */
  async loginAsCarol(): Promise<number> {
    return (await this.post({ cert: this.authority.carol.pem })).status;
  }

  /** Sends logins with a wrong password, one after the other. @returns the statuses */
  async failedLogins(count: number, localAddress = this.newAddress()): Promise<number[]> {
    const statuses: number[] = [];
    while (statuses.length < count) {
      statuses.push(await this.login('ann', 'wrong', { localAddress }));
    }
    return statuses;
  }

  async close(): Promise<void> {
    await this.sso.close();
    this.directories.first.close();
    this.directories.other.close();
    await removeFolder(this.folder);
    configureLogging({ application: 'test', levels: { root: 'warn' } });
  }
}

function startSettingsFor({ first }: Directories, folder: string): Settings {
  return {
    'sso.authentication.static.users': ['casuser::Mellon', 'ann::Mellon'],
    'sso.authentication.static.attributes': {
      casuser: { mail: 'c@example.org', memberOf: 'admin' },
      ann: { mail: 'ann@example.net', memberOf: 'ops' },
    },
    'sso.authentication.ldap.urls': first.url,
    'sso.authentication.ldap.user-dn': 'uid={username},dc=example',
    'sso.rest.services.role-name': 'memberOf',
    'sso.rest.services.role-value': 'admin',
    'sso.rest.x509.ca-file': join(folder, 'ca.pem'),
    'sso.rest.x509.crl-files': join(folder, 'ca.crl'),
    'sso.rest.x509.crl-warning': '1h',
    'sso.rest.x509.principal': 'cn',
    'sso.rest.x509.trusted-hosts': '127.0.0.0/8',
  };
}
