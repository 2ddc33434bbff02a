// The settings of the audit trail.
import { Min } from 'class-validator';
import { boolean, duration, Setting } from '@tessera/config';

const DAY_MS = 24 * 3_600_000;

export class AuditSettings {
  /** Whether events are stored in the database. */
  @Setting('audit.enabled', boolean) isEnabled = true;
  /** Whether tickets that are granted and validated are stored, too: two events for each login to an application. */
  @Setting('audit.tickets', boolean) storesTickets = false;
  /** Events are kept at least so long: whole months are removed. */
  @Setting('audit.retention', duration) @Min(DAY_MS) retention = 90 * DAY_MS;
}
