// The settings of the database, which the backend `postgres` and the audit trail use.
import { IsNotEmpty, Max, Min } from 'class-validator';
import { urlFormatViolation } from '@tessera/runtime';
import {
  type Violation,
  type CoreSettings,
  integer,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/config';

/** The settings that contain this group. */
type Holder = CoreSettings & {
  readonly backends?: readonly string[];
  readonly storesAudit?: boolean;
};

export class PostgresBackendSettings implements SettingsGroup {
  /** PostgreSQL URL; without one, profile dev uses the embedded PostgreSQL of `tessera start`. */
  @Setting('database.url', secret) databaseUrl: Secret | undefined = undefined;
  @Setting('database.pool-size', integer) @Min(2) @Max(1_000) poolSize = 10;
  @Setting('config-server.postgres.default-label', text)
  @IsNotEmpty({ message: 'must not be empty' })
  defaultLabel = 'main';

  *check(settings: Holder): Iterable<Violation> {
    const isBackend = settings.backends?.includes('postgres') === true;
    if (!isBackend && settings.storesAudit !== true) return;
    const message = this.urlViolation(isBackend && !settings.isActive('dev'));
    if (message !== undefined) yield { key: 'database.url', message };
  }

  private urlViolation(isRequired: boolean): string | undefined {
    const url = this.databaseUrl?.reveal();
    if (url === undefined) {
      return isRequired ? 'is required by the backend postgres except in profile dev' : undefined;
    }
    return urlFormatViolation(url);
  }
}
