// Records actions of administrators in the table `audit_event` and in the log. Operators read the table with SQL.
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { loggerFor } from '@tessera/logging';
import { AuditEventEntity } from './audit-event.entity.js';

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

/** Where events come from. */
export interface AuditSource {
  readonly application: string;
  readonly node: string;
}

/** Injection token of the {@link AuditSource}. */
export const AUDIT_SOURCE = Symbol('AuditSource');

@Injectable()
export class AuditTrail {
  constructor(
    @InjectRepository(AuditEventEntity) private readonly events: Repository<AuditEventEntity>,
    @Inject(AUDIT_SOURCE) private readonly source: AuditSource,
  ) {}

  /** Inserts the event in the transaction of the change: both are committed, or neither. */
  async record(event: AuditEvent, transaction: EntityManager): Promise<void> {
    const session = maskTicket(event.session);
    await transaction.withRepository(this.events).insert({ ...event, ...this.source, session });
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
