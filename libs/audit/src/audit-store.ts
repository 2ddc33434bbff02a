// Records actions of administrators in the table `audit_event` and in the log. Operators read the table with SQL.
import type { EntityManager } from 'typeorm';
import { loggerFor } from '@tessera/logging';

const log = loggerFor('audit');

export type AuditAction = 'REGISTER_SERVICE';

/** An action that a principal requests. */
export interface AuditAttempt {
  readonly action: AuditAction;
  /** The id of the principal. */
  readonly principal: string;
  /** The ticket of the session; only its prefix and its last characters are stored and logged. */
  readonly session: string;
  readonly clientAddress: string;
}

/** A completed action. The database sets its time. */
export interface AuditEvent extends AuditAttempt {
  /** The id of the changed object. */
  readonly subject: string;
  /** Further details; without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

export class AuditTrail {
  /** @param source the application and the node that the events come from */
  constructor(private readonly source: { readonly application: string; readonly node: string }) {}

  /** Inserts the event in the transaction of the change: both are committed, or neither. */
  async record(event: AuditEvent, transaction: EntityManager): Promise<void> {
    const { action, subject, principal, session, clientAddress, details } = event;
    const { application, node } = this.source;
    await transaction.query(
      `insert into audit_event (action, subject, principal, session, client_address, application,
          node, details)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [action, subject, principal, maskTicket(session), clientAddress, application, node, details],
    );
  }

  /** Logs a recorded event. Call it after the commit, because the transaction may still fail. */
  logEvent(event: AuditEvent): void {
    log.info({ ...event, session: maskTicket(event.session), node: this.source.node }, 'recorded');
  }

  /** Logs a refused attempt. It is not stored, so that refused callers cannot fill the table. */
  logRefusal(attempt: AuditAttempt): void {
    log.warn(
      { ...attempt, session: maskTicket(attempt.session), node: this.source.node },
      'refused',
    );
  }
}

/** `TGT-…a91f`, as in every other log line. */
function maskTicket(ticket: string): string {
  return `${ticket.slice(0, ticket.indexOf('-') + 1)}…${ticket.slice(-4)}`;
}
