// A site of Apereo CAS with two directories, moved by `tessera migrate` and started as the built program.
import { createTestDatabase, type TestDatabase } from './database.js';
import { person } from './ldap-people.js';
import type { JsonReport, OldServer } from './old-server.js';
import { Program } from './process.js';
import { BASE, SERVICE_ACCOUNT, Slapd } from './slapd.js';

/** Failed logins until the throttle refuses. */
export const THRESHOLD = 3;

/** Only staff may use a service with these members. */
export const STAFF_ONLY = {
  accessStrategy: {
    '@class': 'org.apereo.cas.services.DefaultRegisteredServiceAccessStrategy',
    requiredAttributes: { '@class': 'java.util.HashMap', kind: ['java.util.HashSet', ['staff']] },
  },
};

/** The file of a service that gets `mail`. @param pattern of its URLs */
export function serviceFile(id: number, pattern: string, members: object = {}): string {
  return JSON.stringify({
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: pattern,
    name: `service ${id}`,
    id,
    attributeReleasePolicy: {
      '@class': 'org.apereo.cas.services.ReturnAllowedAttributeReleasePolicy',
      allowedAttributes: ['java.util.ArrayList', ['mail']],
    },
    ...members,
  });
}

export class MovedSite {
  private constructor(
    private readonly staff: Slapd,
    private readonly students: Slapd,
    readonly database: TestDatabase,
  ) {}

  /** The directories: alice is of the staff, sam a student. */
  static async open(): Promise<MovedSite> {
    const [staff, students, database] = await Promise.all([
      Slapd.start({
        entries: [person('alice', { mail: 'alice@example.org', departmentNumber: 'staff' })],
      }),
      Slapd.start({ entries: [person('sam', { mail: 'sam@example.org' })] }),
      createTestDatabase(),
    ]);
    return new MovedSite(staff, students, database);
  }

  /** Writes the settings and services of the old server, and moves them. @param services files by name */
  async move(old: OldServer, services: Readonly<Record<string, string>>): Promise<JsonReport> {
    const files = Object.entries(services).map(([name, content]) => [
      `etc/cas/services/${name}`,
      content,
    ]);
    const settings = { 'etc/cas/config/cas.properties': this.settings() };
    await old.write({ ...settings, ...Object.fromEntries(files) });
    return old.report();
  }

  /** Starts the SSO with the new settings. @returns its URL, without a slash at the end */
  async start({ into }: OldServer, settings: readonly string[] = []): Promise<string> {
    const program = Program.start('sso', [
      '--profiles.active=moved',
      `--settings.location=${into}`,
      `--database.url=${this.database.url}`,
      ...settings,
    ]);
    const [, port] = await program.waitForOutput(/"port":(\d+),"msg":"listening"/);
    return `http://127.0.0.1:${port}/cas`;
  }

  async close(): Promise<void> {
    await Promise.all([this.staff.remove(), this.students.remove(), this.database.drop()]);
  }

  private settings(): string {
    return `cas.server.name=https://login.example.org
cas.server.prefix=\${cas.server.name}/cas
server.address=127.0.0.1
server.port=0
server.ssl.enabled=false
${directory(0, 'Staff', this.staff)}
${directory(1, 'Students', this.students)}
cas.ticket.tgt.primary.max-time-to-live-in-seconds=PT3H
cas.ticket.st.time-to-kill-in-seconds=60
cas.authn.throttle.failure.threshold=${THRESHOLD}
cas.service-registry.json.location=file:/etc/cas/services`;
  }
}

function directory(index: number, name: string, { url }: Slapd): string {
  const settings = {
    name,
    'ldap-url': url,
    'base-dn': BASE,
    'search-filter': 'uid={user}',
    'bind-dn': SERVICE_ACCOUNT.dn,
    'bind-credential': SERVICE_ACCOUNT.password,
    'principal-attribute-list': 'mail,departmentNumber:kind',
    'password-policy.enabled': 'true',
  };
  return Object.entries(settings)
    .map(([key, value]) => `cas.authn.ldap[${index}].${key}=${value}`)
    .join('\n');
}
