// Addresses and sends logout messages.
import { Injectable } from '@nestjs/common';
import type { LogoutMessage, NewDelivery, TakenMessage } from '@tessera/logout-messages';
import { OutgoingError } from '../outgoing/errors.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { logoutRequest } from './logout-request.js';
import { type LogoutTarget, LogoutTargets } from './logout-targets.js';

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
    private readonly targets: LogoutTargets,
    private readonly client: OutgoingClient,
  ) {}

  /** A delivery for each logout URL; none where no service is registered for the message any more. */
  deliveriesOf(message: LogoutMessage): readonly NewDelivery[] {
    return this.targets.deliveriesOf(message);
  }

  /** The groups of messages that are not sent at the moment, because their application has not answered. */
  get pausedGroups(): readonly string[] {
    return this.breakers.openAt(performance.now());
  }

  /**
   * Does not call an application that has not answered several calls of late: the result is the error of then. Nor one with
   * very many calls under way, because callers choose the hosts where a pattern leaves them open.
   *
   * @returns `dropped` where no service is registered for it any more; the error where it could not be told
   */
  async send({ message, group }: TakenMessage, stop: AbortSignal): Promise<Sent> {
    const target = this.targets.find(message);
    if (target === undefined) return 'dropped';
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
    const sent = await this.call(target, message, stop).finally(() => this.count(parts, -1));
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
    { service, url }: LogoutTarget,
    message: TakenMessage['message'],
    stop: AbortSignal,
  ): Promise<Sent> {
    try {
      const form = { logoutRequest: logoutRequest(service, message) };
      const limits = [AbortSignal.timeout(TIME_LIMIT_MS), stop];
      const status = await this.client.postForm(url, form, AbortSignal.any(limits));
      if (isAccepted(status)) return 'delivered';
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
}

/** Some clients answer with a page elsewhere, 302 or 303, when they are done. Other redirects name the right address. */
function isAccepted(status: number): boolean {
  return (status >= 200 && status < 300) || status === 302 || status === 303;
}
