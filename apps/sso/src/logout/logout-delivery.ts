// Sends the queued logout messages to their applications (back channel).
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import { Announcements } from '@tessera/database';
import { loggerFor, withoutQuery } from '@tessera/logging';
import { backoffDelay } from '@tessera/runtime';
import { LOGOUT_MESSAGES_CHANNEL, LogoutQueue, type TakenLogoutMessage } from '@tessera/tickets';
import { OutgoingError } from '../outgoing/errors.js';
import { logoutEvents } from './logout-events.js';
import { LogoutSender } from './logout-sender.js';

const log = loggerFor('logout');

/** With these pauses, the last attempt is about an hour after the first. */
const MAX_ATTEMPTS = 13;
const RETRY_BACKOFF = { initial: 10_000, max: 600_000, jitter: 0.5 };
/** A node that took a message and has not recorded its outcome by then has crashed: calls end after 5 s. */
const LEASE_MS = 15_000;
/** For messages under way when the process stops. */
const STOP_LIMIT_MS = 1_000;
/** For messages that are sent again; the database announces new ones. */
const POLL_INTERVAL_MS = 5_000;
/** Messages that one process sends at once. */
const MAX_UNDER_WAY = 256;
/** Messages that all processes send at once to one host of one application: fewer where this process has many under way. */
const MAX_PER_GROUP = 4;
const MANY_UNDER_WAY = 128;
/** Messages that get their URLs at once. */
const MAX_ADDRESSED = 250;
/** Between counts of the queue. */
const COUNT_INTERVAL_MS = 10_000;
/** More messages are taken when so many may be sent, and so many at once: most of a batch may be of one application. */
const MAX_TAKEN = 32;

@Injectable()
export class LogoutDelivery implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly underWay = new Set<Promise<void>>();
  private running: Promise<void> = Promise.resolve();
  private readonly aborting = new AbortController();
  private isStopping = false;
  private isWoken = false;
  private countedAt = Number.NEGATIVE_INFINITY;
  private endPause = (): void => {};

  constructor(
    private readonly queue: LogoutQueue,
    private readonly sender: LogoutSender,
    private readonly announcements: Announcements,
    private readonly auditTrail: AuditTrail,
  ) {}

  onModuleInit(): void {
    this.announcements.listen(LOGOUT_MESSAGES_CHANNEL, () => this.wake());
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** Takes no more messages, and waits a moment for those under way. What is aborted is sent again. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.running;
    const timer = setTimeout(() => this.aborting.abort(), STOP_LIMIT_MS);
    await Promise.all(this.underWay);
    clearTimeout(timer);
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      this.isWoken = false;
      const addressed = await this.attempt(() => this.address(), 0);
      const hasRoom = this.underWay.size + MAX_TAKEN <= MAX_UNDER_WAY;
      const taken = hasRoom ? await this.attempt(() => this.take(), []) : [];
      for (const each of taken) this.track(this.deliver(each));
      await this.publishCounts();
      // What was taken may be all of one application: others may have more.
      if (addressed + taken.length === 0) await this.pause();
    }
  }

  private wake(): void {
    this.isWoken = true;
    this.endPause();
  }

  /** Until the next poll, unless somebody calls {@link wake}, or has called it since the last look at the queue. */
  private async pause(): Promise<void> {
    if (this.isWoken) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.endPause = () => resolve(undefined);
    const timer = setTimeout(this.endPause, POLL_INTERVAL_MS).unref();
    await promise;
    clearTimeout(timer);
  }

  /** Gives new messages their URLs. @returns their number */
  private async address(): Promise<number> {
    const { addressed, dropped } = await this.queue.address(MAX_ADDRESSED, (message) =>
      this.sender.groupsOf(message),
    );
    for (let each = 0; each < dropped; each += 1) {
      logoutEvents.publish({ type: 'sent', outcome: 'dropped' });
    }
    return addressed;
  }

  /** Messages to applications that do not answer wait until there are no others: they fail at once. */
  private async take(): Promise<readonly TakenLogoutMessage[]> {
    const except = this.sender.pausedGroups;
    const perGroup = this.underWay.size < MANY_UNDER_WAY ? MAX_PER_GROUP : 1;
    const options = { limit: MAX_TAKEN, perGroup, except, lease: LEASE_MS };
    const taken = await this.queue.take(options);
    if (taken.length > 0 || except.length === 0) return taken;
    return this.queue.take({ ...options, except: [] });
  }

  private async attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      log.warn({ error }, 'cannot read the queue of logout messages; it is tried again');
      return otherwise;
    }
  }

  /** For those who count; a failure is left to the next time. */
  private async publishCounts(): Promise<void> {
    if (!logoutEvents.hasSubscribers) return;
    if (performance.now() - this.countedAt < COUNT_INTERVAL_MS) return;
    this.countedAt = performance.now();
    try {
      logoutEvents.publish({ type: 'queue', ...(await this.queue.counts()) });
    } catch (error) {
      log.debug({ error }, 'cannot count the logout messages');
    }
  }

  private track(delivery: Promise<void>): void {
    const tracked = delivery.finally(() => {
      this.underWay.delete(tracked);
      this.wake();
    });
    this.underWay.add(tracked);
  }

  /** Never fails. A message whose outcome cannot be recorded is sent again. */
  private async deliver(message: TakenLogoutMessage): Promise<void> {
    try {
      const result = await this.sender.send(message, this.aborting.signal);
      if (result instanceof OutgoingError) {
        await this.fail(message, result);
        return;
      }
      await this.queue.complete(message);
      logoutEvents.publish({ type: 'sent', outcome: result });
      if (result === 'delivered') this.record(message, { outcome: 'success' });
    } catch (error) {
      log.warn({ error }, 'cannot record the outcome of a logout message; it is sent again');
    }
  }

  private async fail(message: TakenLogoutMessage, error: OutgoingError): Promise<void> {
    const { group, application } = message;
    const attempt = message.failures + 1;
    const isLastAttempt = attempt >= MAX_ATTEMPTS;
    const retryAfter = isLastAttempt ? undefined : backoffDelay(attempt, RETRY_BACKOFF);
    await this.queue.fail(message, error.message, retryAfter);
    logoutEvents.publish({ type: 'sent', outcome: isLastAttempt ? 'failed' : 'retried' });
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
    const fault = code === undefined ? error.message : `${error.message} (${code})`;
    const host = group.slice(group.indexOf(' ') + 1);
    const fields = { service: withoutQuery(application), host, attempt, reason: fault };
    if (isLastAttempt) {
      log.error(fields, 'a logout message has failed for good');
      const details = { attempts: attempt, fault };
      this.record(message, { outcome: 'failure', reason: error.code, details });
    } else if (attempt === 1) {
      log.warn(fields, 'a logout message has failed; it is sent again');
    } else {
      log.debug(fields, 'a logout message has failed again');
    }
  }

  private record(
    { principal, application: service }: TakenLogoutMessage,
    result: Pick<AuditEvent, 'outcome' | 'reason' | 'details'>,
  ): void {
    this.auditTrail.record({ action: 'SEND_LOGOUT_MESSAGE', principal, service, ...result });
  }
}
