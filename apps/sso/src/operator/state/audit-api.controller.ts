// The route /api/v1/audit of the operator's API.
import { Controller, Get, Inject } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { Transform } from 'class-transformer';
import { IsDate, IsIn } from 'class-validator';
import type { DataSource } from 'typeorm';
import { managementPath } from '@tessera/server';
import {
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  AuditSearch,
  type AuditOutcome,
  type StoredAuditRecord,
} from '@tessera/audit';
import { WorkQueue } from '@tessera/crypto';
import { DatabaseError } from '@tessera/database';
import { OperatorsOnly } from '../operator.guard.js';
import { Optional, QueryParameters, SearchText, valid } from '../input.js';
import { A_TIME, type Page, PageQuery, pageOf, readCursor } from '../page.js';

/** A search for something rare reads all records of its time. */
const SEARCH_LIMIT_MS = 20_000;
/** Each has a connection to the database, besides those of the application. */
const MAX_RUNNING = 2;
const MAX_WAITING = 10;
const TIME_RULE = { message: 'must be a time such as 2026-11-24T08:00:00Z' };

class AuditQuery extends PageQuery {
  @Optional() @SearchText(1_000) user?: string;
  /** The start of the URL. */
  @Optional() @SearchText(4_000) service?: string;
  @Optional() @IsIn(AUDIT_ACTIONS) action?: string;
  @Optional() @IsIn(AUDIT_OUTCOMES) outcome?: AuditOutcome;
  @Optional() @ToTime() @IsDate(TIME_RULE) since?: Date;
  @Optional() @ToTime() @IsDate(TIME_RULE) until?: Date;
}

type AuditView = Omit<StoredAuditRecord, 'principal'> & { readonly user: string | null };

@Controller(managementPath('api/v1/audit'))
@OperatorsOnly()
export class AuditApiController {
  private readonly search: AuditSearch;
  private readonly queue = new WorkQueue(MAX_RUNNING, MAX_WAITING, tooMany);

  constructor(@Inject(getDataSourceToken()) dataSource: DataSource) {
    this.search = AuditSearch.within(dataSource, SEARCH_LIMIT_MS);
  }

  @Get()
  async list(@QueryParameters(valid(AuditQuery)) query: AuditQuery): Promise<Page<AuditView>> {
    const [time, id] = readCursor(query, A_TIME, /^\d{1,18}$/) ?? [];
    const before =
      time === undefined || id === undefined ? undefined : { occurredAt: new Date(time), id };
    const { user, service, action, outcome, since, until, limit } = query;
    const conditions = { user, service, action, outcome, since, until };
    const records = await this.queue.run(() => this.search.find(conditions, limit + 1, before));
    return pageOf(records, query, {
      positionOf: ({ occurredAt, id: last }) => [occurredAt.toISOString(), last],
      view: ({ principal, ...others }) => ({ ...others, user: principal }),
    });
  }
}

function tooMany(): DatabaseError {
  return new DatabaseError('DATABASE_UNAVAILABLE', 'too many searches of the audit trail wait');
}

function ToTime(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && A_TIME.test(value) ? new Date(value) : value,
  );
}
