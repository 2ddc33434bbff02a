// Sends the queued logout messages to their services (back channel).
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import { Announcements } from '@tessera/database';
import { loggerFor, withoutQuery } from '@tessera/logging';
import { LogoutQueue, type TakenMessage } from '@tessera/logout-messages';
import { OutgoingError } from '../outgoing/errors.js';
import { logoutEvents } from './logout-events.js';
import { LogoutSender } from './logout-sender.js';

const log = loggerFor('logout');

/** For messages under way when the process stops. */
const STOP_LIMIT_MS = 1_000;
/** For messages that are sent again; the database announces new ones. */
const POLL_INTERVAL_MS = 5_000;
/** The trigger on sessions uses this name too. */
const CHANNEL = 'logout_messages';
/** Messages that one process sends at once. */
const MAX_UNDER_WAY = 256;
/** Messages that all processes send at once to one host of one application: fewer where this process has many under way. */
const MAX_PER_GROUP = 4;
const MANY_UNDER_WAY = 128;
/** Messages that get their URLs at once. */
const MAX_ADDRESSED = 250;
/** Between counts of the queue. The queue counts itself every 10 s. */
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

  async onModuleInit(): Promise<void> {
    await this.queue.open();
    this.announcements.listen(CHANNEL, () => this.wake());
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
    await this.queue.close();
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
    const messages = await this.queue.takeUnaddressed(MAX_ADDRESSED);
    if (messages.length === 0) return 0;
    const addressed = messages.map(
      (each) => [each, this.sender.deliveriesOf(each.message)] as const,
    );
    await this.queue.address(addressed);
    for (const [, deliveries] of addressed) {
      if (deliveries.length === 0) logoutEvents.publish({ type: 'sent', outcome: 'dropped' });
    }
    return messages.length;
  }

  /** Messages to applications that do not answer wait until there are no others: they fail at once. */
  private async take(): Promise<readonly TakenMessage[]> {
    const except = this.sender.pausedGroups;
    const perGroup = this.underWay.size < MANY_UNDER_WAY ? MAX_PER_GROUP : 1;
    const limits = { perGroup, except };
    const taken = await this.queue.take(MAX_TAKEN, limits);
    if (taken.length > 0 || except.length === 0) return taken;
    return this.queue.take(MAX_TAKEN, { ...limits, except: [] });
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
  private async deliver(taken: TakenMessage): Promise<void> {
    try {
      const result = await this.sender.send(taken, this.aborting.signal);
      if (result instanceof OutgoingError) {
        await this.queue.fail(taken, result.message);
        this.reportFailure(taken, result);
        return;
      }
      await this.queue.complete(taken);
      logoutEvents.publish({ type: 'sent', outcome: result });
      if (result === 'delivered') this.record(taken, { outcome: 'success' });
    } catch (error) {
      log.warn({ error }, 'cannot record the outcome of a logout message; it is sent again');
    }
  }

  private reportFailure(taken: TakenMessage, error: OutgoingError): void {
    const { isLastAttempt, failures, message, group } = taken;
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
    const fault = code === undefined ? error.message : `${error.message} (${code})`;
    const host = group.slice(group.indexOf(' ') + 1);
    const service = withoutQuery(message.service);
    const fields = { service, host, attempt: failures + 1, reason: fault };
    logoutEvents.publish({ type: 'sent', outcome: isLastAttempt ? 'failed' : 'retried' });
    if (isLastAttempt) {
      log.error(fields, 'a logout message has failed for good');
      const details = { attempts: failures + 1, fault };
      this.record(taken, { outcome: 'failure', reason: error.code, details });
    } else if (failures === 0) {
      log.warn(fields, 'a logout message has failed; it is sent again');
    } else {
      log.debug(fields, 'a logout message has failed again');
    }
  }

  private record(
    { message: { principal, service } }: TakenMessage,
    result: Pick<AuditEvent, 'outcome' | 'reason' | 'details'>,
  ): void {
    this.auditTrail.record({ action: 'SEND_LOGOUT_MESSAGE', principal, service, ...result });
  }
}
