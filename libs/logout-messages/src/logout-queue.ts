// The durable queue of logout messages. The library pg-boss keeps it in PostgreSQL, in the schema pgboss. A message passes
// two queues: in the first it has the service of its ticket, in the second the place of one of the URLs to be called.
// @see docs/adr/0035-single-logout.md
import { createHash } from 'node:crypto';
import type { Pool, QueryResult } from 'pg';
import { PgBoss, type Db, type JobWithMetadata } from 'pg-boss';
import { codeOf, DatabaseError, reasonOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import type {
  Delivery,
  FailedMessage,
  LogoutMessage,
  NewDelivery,
  TakenMessage,
  UnaddressedMessage,
  WaitingMessage,
} from './logout-message.js';

const log = loggerFor('logout');

/** The trigger on sessions uses this name too. */
const MESSAGES = 'logout-messages';
const DELIVERIES = 'logout-deliveries';
const FAILED = 'logout-messages-failed';

const HOUR = 3_600;
const DAY = 24 * HOUR;

const QUEUE_OPTIONS = {
  // 2.5 to 5 s after the first failure, then twice as long each time, up to 10 minutes: about an hour in all.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  /** A node that took a message and does not answer for it has crashed. */
  expireInSeconds: 15,
  retentionSeconds: 7 * DAY,
  deleteAfterSeconds: HOUR,
  deadLetter: FAILED,
};
/** First attempts have 0, and come first. */
const PRIORITY_OF_RETRIES = -1;

const FAILED_OPTIONS = { retentionSeconds: 30 * DAY };

const PAGE = 1_000;
/** One statement reads them all. A second one could not go on where the first ended, if that message was sent since. */
const MAX_WAITING = 10_000;

/** SQLSTATE insufficient_privilege. */
const NOT_ALLOWED = '42501';

/** The reason of a message whose last attempt was cut off by a crash. */
const EXPIRED = 'The node that sent it has crashed';

export interface LogoutQueueOptions {
  /** Whether this process gives messages of crashed nodes back to the queue, and removes old ones. */
  readonly isSupervised: boolean;
}

export class LogoutQueue {
  private readonly boss: PgBoss;

  constructor(pool: Pool, { isSupervised }: LogoutQueueOptions) {
    this.boss = new PgBoss({
      db: databaseOf(pool),
      supervise: isSupervised,
      superviseIntervalSeconds: 10,
      monitorIntervalSeconds: 10,
      maintenanceIntervalSeconds: HOUR,
      schedule: false,
      reindex: false,
      monitorVacuum: false,
    });
    this.boss.on('error', (error) => {
      log.warn({ error }, 'the queue of logout messages has failed');
    });
  }

  /**
   * Creates the queue where it does not exist yet.
   * @throws DatabaseError MIGRATION_FAILED where the role may not create the schema, or does not own it
   */
  async open(): Promise<void> {
    try {
      await this.boss.start();
      await this.boss.createQueue(FAILED, FAILED_OPTIONS);
      await this.boss.createQueue(MESSAGES, QUEUE_OPTIONS);
      await this.boss.createQueue(DELIVERIES, QUEUE_OPTIONS);
    } catch (error) {
      throw codeOf(error) === NOT_ALLOWED ? notAllowed(error) : error;
    }
  }

  /** Takes at most `limit` messages that have no URL yet. Of all nodes, one gets a message. */
  async takeUnaddressed(limit: number): Promise<readonly UnaddressedMessage[]> {
    const jobs = await this.boss.fetch<LogoutMessage>(MESSAGES, { batchSize: limit });
    return jobs.map(({ id, data }) => ({ jobId: id, message: data }));
  }

  /**
   * Replaces messages by their deliveries. A message without any is dropped. What a crash interrupts is repeated, and queues
   * nothing twice: the key of a delivery follows from that of its message.
   */
  async address(
    addressed: readonly (readonly [UnaddressedMessage, readonly NewDelivery[]])[],
  ): Promise<void> {
    const jobs = addressed.flatMap(([{ jobId }, deliveries]) =>
      deliveries.map(({ delivery, group }, index) => ({
        id: keyOf(jobId, index),
        data: delivery,
        group: { id: group },
      })),
    );
    if (jobs.length > 0) await this.boss.insert(DELIVERIES, jobs);
    const ids = addressed.map(([{ jobId }]) => jobId);
    await this.boss.complete(MESSAGES, ids);
  }

  /**
   * Takes at most `limit` deliveries that are due, first attempts before repetitions. Of all nodes, one gets a delivery, and
   * together they have at most `perGroup` of a group.
   *
   * @param except groups of which none is taken
   */
  async take(
    limit: number,
    { perGroup, except }: { readonly perGroup: number; readonly except: readonly string[] },
  ): Promise<readonly TakenMessage[]> {
    const jobs = await this.boss.fetch<Delivery>(DELIVERIES, {
      batchSize: limit,
      includeMetadata: true,
      groupConcurrency: perGroup,
      ignoreGroups: [...except],
    });
    return jobs.map(({ id, data, groupId, retryCount, retryLimit }) => ({
      jobId: id,
      group: groupId ?? '',
      failures: retryCount,
      isLastAttempt: retryCount >= retryLimit,
      message: data,
    }));
  }

  /** The message was sent, or is not to be sent any more. */
  async complete({ jobId }: TakenMessage): Promise<void> {
    await this.boss.complete(DELIVERIES, jobId);
  }

  /** The attempt has failed: it is repeated later, after first attempts, or the message joins the failed ones. */
  async fail({ jobId, isLastAttempt }: TakenMessage, reason: string): Promise<void> {
    await this.boss.fail(DELIVERIES, jobId, { reason });
    if (isLastAttempt) return;
    await this.boss.update(DELIVERIES, undefined, { id: jobId, priority: PRIORITY_OF_RETRIES });
  }

  /** The messages to be sent, and those that failed for good: as of the last count, 10 s ago at most. */
  async counts(): Promise<{ readonly pending: number; readonly failed: number }> {
    const [failed, ...queues] = await Promise.all(
      [FAILED, MESSAGES, DELIVERIES].map((queue) => this.boss.getQueue(queue)),
    );
    const pending = queues.reduce(
      (sum, queue) => sum + (queue?.queuedCount ?? 0) + (queue?.activeCount ?? 0),
      0,
    );
    return { pending, failed: failed?.queuedCount ?? 0 };
  }

  /** All failed messages, the oldest first. They are kept for 30 days. */
  async findFailed(): Promise<readonly FailedMessage[]> {
    return (await this.failedJobs()).map(toFailedMessage);
  }

  /** The messages that no node sends at the moment, the oldest first: at most 10,000. */
  async findWaiting(): Promise<readonly WaitingMessage[]> {
    const options = { queued: true, limit: MAX_WAITING };
    const found = await Promise.all(
      [MESSAGES, DELIVERIES].map((queue) => this.boss.findJobs<LogoutMessage>(queue, options)),
    );
    return found.flat().map(toWaitingMessage);
  }

  /**
   * Puts failed messages back into the queue: those with these ids, or all.
   * @returns the number of messages
   */
  async retryFailed(ids?: readonly string[]): Promise<number> {
    const jobs = await this.failedJobs();
    const chosen = jobs.filter(({ data }) => ids === undefined || ids.includes(data.id));
    let moved = 0;
    for (let from = 0; from < chosen.length; from += PAGE) {
      const page = chosen.slice(from, from + PAGE).map(({ id }) => id);
      moved += await this.boss.redrive(FAILED, { ids: page, limit: PAGE });
    }
    return moved;
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }

  private async failedJobs(): Promise<readonly JobWithMetadata<LogoutMessage>[]> {
    const found: JobWithMetadata<LogoutMessage>[] = [];
    for (;;) {
      const after = found.at(-1)?.id;
      const page = await this.boss.findJobs<LogoutMessage>(FAILED, {
        limit: PAGE,
        ...(after !== undefined && { after }),
      });
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }
}

function keyOf(jobId: string, index: number): string {
  return createHash('sha256').update(`${jobId} ${index}`).digest('hex').slice(0, 32);
}

/** Several statements in one text have several results. */
function databaseOf(pool: Pool): Db {
  return {
    async executeSql(text, values) {
      const results: QueryResult | readonly QueryResult[] = await pool.query(text, values);
      return { rows: [results].flat().flatMap(({ rows }) => rows as unknown[]) };
    },
  };
}

function notAllowed(error: unknown): DatabaseError {
  return new DatabaseError(
    'MIGRATION_FAILED',
    `The queue of logout messages cannot be created: ${reasonOf(error)}. Let the role of database.url create its ` +
      'schema, pgboss ("grant create on database … to …"), or set sso.logout.enabled=false.',
    error,
  );
}

function toFailedMessage(job: JobWithMetadata<LogoutMessage>): FailedMessage {
  return {
    message: job.data,
    failedAt: job.createdOn,
    attempts: (job.sourceRetryCount ?? 0) + 1,
    reason: reasonIn(job.sourceOutput),
  };
}

function toWaitingMessage(job: JobWithMetadata<LogoutMessage>): WaitingMessage {
  const { data: message, startAfter: nextAttemptAt, state, retryCount, output } = job;
  const isRepeated = state === 'retry';
  // The queue counts a repetition when it begins.
  const attempts = isRepeated ? retryCount + 1 : 0;
  return { message, nextAttemptAt, attempts, reason: isRepeated ? reasonIn(output) : undefined };
}

function reasonIn(output: object | null): string {
  const reason: unknown = output && Reflect.get(output, 'reason');
  return typeof reason === 'string' ? reason : EXPIRED;
}
