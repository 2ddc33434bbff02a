// The settings of the config server's audit events.
import { boolean, type CoreSettings, Setting, type Violation } from '@tessera/config';

/** The settings that contain this group. */
type Holder = CoreSettings & { readonly postgres?: { readonly databaseUrl: unknown } };
export class AuditSettings {
  /** Whether events are stored in the database; undefined: if the settings name one. */
  @Setting('audit.enabled', boolean) enabled: boolean | undefined = undefined;
  /** Whether reads of settings are stored, too. The key is not below `audit`, whose keys the SSO application checks. */
  @Setting('config-server.audit.reads', boolean) storesReads = true;

  *check(settings: Holder): Iterable<Violation> {
    const hasDatabase = settings.postgres?.databaseUrl !== undefined || settings.isActive('dev');
    if (this.enabled === true && !hasDatabase) {
      yield { key: 'audit.enabled', message: 'needs database.url' };
    }
  }
}
