// Keeps what administrators have done in the table `audit_event`, and is the only code that touches it; tells of it in
// the log, too. Nothing here reads the table: that is done by whoever is asked what happened, with SQL.
import type { EntityManager } from 'typeorm';
import { loggerFor } from '@tessera/logging';

const log = loggerFor('audit');

export type AuditAction = 'REGISTER_SERVICE';

/** Who wants to do what, and from where. */
export interface AuditAttempt {
  readonly action: AuditAction;
  /** The id of the principal. */
  readonly principal: string;
  /** The session's ticket; no more of it than its end is kept or logged. */
  readonly session: string;
  readonly clientAddress: string;
}

/** What was done. When, is said by the clock of the database. */
export interface AuditEvent extends AuditAttempt {
  /** The id of what it was done to. */
  readonly subject: string;
  /** What else there is to know; without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

export class AuditTrail {
  /** @param place the process: the name of the application, and of the node it runs on */
  constructor(private readonly place: { readonly application: string; readonly node: string }) {}

  /** Keeps the event with what the transaction changes: both are kept, or neither of them. */
  async record(event: AuditEvent, transaction: EntityManager): Promise<void> {
    const { action, subject, principal, session, clientAddress, details } = event;
    const { application, node } = this.place;
    await transaction.query(
      `insert into audit_event (action, subject, principal, session, client_address, application,
          node, details)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [action, subject, principal, masked(session), clientAddress, application, node, details],
    );
  }

  /** Tells of an event that has been kept; not before the transaction, which may still fail, is over. */
  tell(event: AuditEvent): void {
    log.info({ ...event, session: masked(event.session), node: this.place.node }, 'recorded');
  }

  /** Tells of an attempt that was refused. It is not kept: being refused must not fill a table. */
  tellRefusal(attempt: AuditAttempt): void {
    log.warn({ ...attempt, session: masked(attempt.session), node: this.place.node }, 'refused');
  }
}

/** `TGT-…a91f`, as everywhere in the log. */
function masked(ticket: string): string {
  return `${ticket.slice(0, ticket.indexOf('-') + 1)}…${ticket.slice(-4)}`;
}
