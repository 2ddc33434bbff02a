// Issues proxy-granting tickets, and delivers them to the callback of the service. @see CAS 3.0 §2.5.4
import { Inject, Injectable } from '@nestjs/common';
import { loggerFor, withoutQuery } from '@tessera/logging';
import { mayProxyTo } from '@tessera/services';
import { newTicketId, TicketGranting, type Assertion } from '@tessera/tickets';
import { OutgoingError } from '../outgoing/errors.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import { ticketsConfig } from '../settings/namespaces.js';
import type { TicketSettings } from '../settings/ticket-settings.js';
import { ProxyError } from './errors.js';

const logger = loggerFor('proxy');

/** For both calls together. */
const TIME_LIMIT_MS = 5_000;

@Injectable()
export class ProxyCallback {
  constructor(
    private readonly client: OutgoingClient,
    private readonly ticketGranting: TicketGranting,
    @Inject(ticketsConfig.KEY) private readonly settings: Pick<TicketSettings, 'pgtMaxDepth'>,
  ) {}

  /**
   * Issues a PGT for a validated ticket. Calls the URL twice: without parameters, to check it, then with `pgtId` and
   * `pgtIou`. Both calls must be answered with 2xx or 3xx; otherwise the PGT is deleted.
   *
   * @returns the PGTIOU, by which the service finds the PGT
   * @throws ProxyError before any call where the policy of the service refuses, or the chain has its greatest length
   */
  async deliver(assertion: Assertion, callbackUrl: string): Promise<string> {
    const { registeredService, proxies } = assertion;
    const fields = {
      service: withoutQuery(assertion.service),
      callback: withoutQuery(callbackUrl),
    };
    if (!mayProxyTo(registeredService, callbackUrl)) {
      logger.warn(fields, 'the proxy policy of the service does not allow the callback');
      throw notAllowed(assertion);
    }
    if (proxies.length >= this.settings.pgtMaxDepth) {
      logger.warn({ ...fields, depth: proxies.length }, 'a chain of proxies is too long');
      throw notAllowed(assertion);
    }
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    await this.call(callbackUrl, callbackUrl, signal);
    const { text: pgt } = await this.ticketGranting.issueProxy(assertion, callbackUrl);
    const { text: pgtIou } = newTicketId('PGTIOU');
    const separator = callbackUrl.includes('?') ? '&' : '?';
    try {
      const url = `${callbackUrl}${separator}pgtId=${pgt}&pgtIou=${pgtIou}`;
      await this.call(url, callbackUrl, signal);
    } catch (error) {
      await this.ticketGranting.destroy(pgt);
      throw error;
    }
    return pgtIou;
  }

  private async call(url: string, callbackUrl: string, signal: AbortSignal): Promise<void> {
    try {
      const status = await this.client.get(url, signal);
      if (status >= 200 && status < 400) return;
      throw new OutgoingError('UNEXPECTED_STATUS', `It answered with status ${status}`);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      logger.warn({ callback: withoutQuery(callbackUrl), error }, 'proxy callback failed');
      throw new ProxyError(
        'INVALID_PROXY_CALLBACK',
        `The supplied proxy callback url '${callbackUrl}' could not be authenticated. ${error.message}.`,
        error,
      );
    }
  }
}

function notAllowed({ service }: Assertion): ProxyError {
  const message = `The supplied service '${service}' is not authorized to use CAS proxy authentication.`;
  return new ProxyError('UNAUTHORIZED_SERVICE_PROXY', message);
}
