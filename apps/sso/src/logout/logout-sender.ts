// Sends logout messages to the logout URLs of their applications.
import { Injectable } from '@nestjs/common';
import { loggerFor, withoutQuery } from '@tessera/logging';
import type { LogoutMessage, TakenLogoutMessage } from '@tessera/tickets';
import { OutgoingError } from '../outgoing/errors.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { type LogoutProtocol, LogoutProtocols, type LogoutTarget } from './logout-protocols.js';

const log = loggerFor('logout');

const TIME_LIMIT_MS = 5_000;
/** Calls under way of one application, and to one host: half of what a process sends at once. */
const MAX_CALLS = 128;

type Sent = 'delivered' | 'dropped' | OutgoingError;

@Injectable()
export class LogoutSender {
  private readonly breakers = new CircuitBreakers();
  /** Calls under way, by application and by host. */
  private readonly calls = new Map<string, number>();

  constructor(
    private readonly protocols: LogoutProtocols,
    private readonly client: OutgoingClient,
  ) {}

  /** The registration and the host of each logout URL; none where the application is not registered any more. */
  groupsOf(message: LogoutMessage): readonly string[] {
    const targets = this.protocols.find(message.protocol)?.targetsOf(message) ?? [];
    if (targets.length === 0) this.warnOfDropped(message);
    return targets.map(({ service, url }) => `${service.id} ${URL.parse(url)?.host ?? ''}`);
  }

  /** The groups of messages that are not sent at the moment, because their application has not answered. */
  get pausedGroups(): readonly string[] {
    return this.breakers.openAt(performance.now());
  }

  /**
   * Does not call an application that has not answered several calls of late: the result is the error of then. Nor one with
   * very many calls under way, because callers choose the hosts where a pattern leaves them open.
   *
   * @returns `dropped` where the application is not registered any more; the error where the message was not delivered
   */
  async send(message: TakenLogoutMessage, stop: AbortSignal): Promise<Sent> {
    const { group } = message;
    const protocol = this.protocols.find(message.protocol);
    const target = protocol?.targetsOf(message)[message.urlIndex];
    if (protocol === undefined || target === undefined) {
      this.warnOfDropped(message);
      return 'dropped';
    }
    const refusal = this.breakers.refusal(group, performance.now());
    if (refusal !== undefined) return refusal;
    const parts = group.split(' ');
    if (parts.some((part) => (this.calls.get(part) ?? 0) >= MAX_CALLS)) {
      return new OutgoingError(
        'NO_ANSWER',
        'Very many others of its service or host are under way',
      );
    }
    this.count(parts, 1);
    const sent = await this.call(protocol, target, message, stop).finally(() =>
      this.count(parts, -1),
    );
    if (!stop.aborted) this.record(group, sent);
    return sent;
  }

  private count(parts: readonly string[], by: number): void {
    for (const part of parts) {
      const calls = (this.calls.get(part) ?? 0) + by;
      if (calls === 0) this.calls.delete(part);
      else this.calls.set(part, calls);
    }
  }

  private async call(
    protocol: LogoutProtocol,
    { service, url }: LogoutTarget,
    message: LogoutMessage,
    stop: AbortSignal,
  ): Promise<Sent> {
    try {
      const form = await protocol.formOf(message, service);
      const limits = [AbortSignal.timeout(TIME_LIMIT_MS), stop];
      const status = await this.client.postForm(url, form, AbortSignal.any(limits));
      if (protocol.accepts(status)) return 'delivered';
      return new OutgoingError('UNEXPECTED_STATUS', `It answered with status ${status}`);
    } catch (error) {
      if (error instanceof OutgoingError) return error;
      throw error;
    }
  }

  private record(group: string, sent: Sent): void {
    const isUnanswered =
      sent instanceof OutgoingError && ['NO_ANSWER', 'HOST_NOT_FOUND'].includes(sent.code);
    if (isUnanswered) this.breakers.recordFailure(group, sent, performance.now());
    else this.breakers.recordAnswer(group);
  }

  private warnOfDropped({ protocol, application }: LogoutMessage): void {
    const fields = { service: withoutQuery(application), protocol };
    if (this.protocols.find(protocol) === undefined) {
      log.warn(fields, 'a logout message is dropped: no module of its protocol runs here');
    } else {
      log.warn(fields, 'a logout message is dropped: no service is registered for it any more');
    }
  }
}
