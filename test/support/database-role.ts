// A role of the suite's PostgreSQL that must give its password, and may do everything.
import { randomBytes } from 'node:crypto';
import { query } from './query.js';
import { PASSWORD_ROLE } from './suite-server.js';

export interface Session {
  /** In milliseconds since 1970. */
  readonly began: number;
  /** The last one. */
  readonly statement: string;
}

export class DatabaseRole {
  private constructor(
    private readonly databaseUrl: string,
    readonly name: string,
    /** The one that PostgreSQL knows. */
    public password: string,
  ) {}

  /** @param databaseUrl of the database that it is for, as the suite's own role */
  static async create(databaseUrl: string): Promise<DatabaseRole> {
    const role = new DatabaseRole(databaseUrl, `role_${randomText()}`, randomText());
    await query(databaseUrl, ensureGroup);
    const rights = `superuser login in role ${PASSWORD_ROLE}`;
    await query(databaseUrl, `create role ${role.name} ${rights}`);
    await role.setPassword();
    return role;
  }

  /** Of the database, as this role. @param password another than the one that is good */
  url(password = this.password): string {
    return this.databaseUrl.replace('//postgres@', `//${this.name}:${password}@`);
  }

  /** In PostgreSQL alone. Sessions that have begun go on. */
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

  /** Ends its sessions, as far as they are at rest. @param statement that they ran last, as a pattern of SQL */
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

  /** Cheap to check, because it is hard to guess. */
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
