// A superuser role of the suite's PostgreSQL that logs in with a password.
import { randomBytes } from 'node:crypto';
import { query } from './query.js';
import { PASSWORD_ROLE } from './suite-server.js';

export interface Session {
  /** Milliseconds since 1970. */
  readonly began: number;
  /** The last statement that it ran. */
  readonly statement: string;
}

export class DatabaseRole {
  private constructor(
    private readonly databaseUrl: string,
    readonly name: string,
    /** The password in PostgreSQL. */
    public password: string,
  ) {}

  /** @param databaseUrl URL of the database, with the role of the suite */
  static async create(databaseUrl: string): Promise<DatabaseRole> {
    const role = new DatabaseRole(databaseUrl, `role_${randomText()}`, randomText());
    await query(databaseUrl, ensureGroup);
    const rights = `superuser login in role ${PASSWORD_ROLE}`;
    await query(databaseUrl, `create role ${role.name} ${rights}`);
    await role.setPassword();
    return role;
  }

  /** URL of the database with this role. @param password for a wrong password */
  url(password = this.password): string {
    return this.databaseUrl.replace('//postgres@', `//${this.name}:${password}@`);
  }

  /** Changes the password in PostgreSQL. Open sessions continue. */
  async changePassword(): Promise<void> {
    this.password = randomText();
    await this.setPassword();
  }

  async sessions(): Promise<readonly Session[]> {
    const rows = await query(
      this.databaseUrl,
      `select extract(epoch from backend_start) * 1000 as began, query as statement
       from pg_stat_activity where usename = '${this.name}'`,
    );
    return (rows as readonly { readonly began: string; readonly statement: string }[]).map(
      ({ began, statement }) => ({ began: Number(began), statement }),
    );
  }

  /** Ends the idle sessions of the role. @param statement LIKE pattern of the last statement that they ran */
  async endIdleSessions(statement = '%'): Promise<void> {
    await query(
      this.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = '${this.name}' and state = 'idle' and query like '${statement}'`,
    );
  }

  async drop(): Promise<void> {
    await query(this.databaseUrl, `drop role ${this.name}`);
  }

  /** Few iterations keep logins fast; the password is random. */
  private async setPassword(): Promise<void> {
    await query(
      this.databaseUrl,
      `set scram_iterations = 16; alter role ${this.name} password '${this.password}'`,
    );
  }
}

const ensureGroup = `do $$ begin
  create role ${PASSWORD_ROLE};
exception when duplicate_object or unique_violation then
end $$`;

function randomText(): string {
  return randomBytes(8).toString('hex');
}
