// Renders the answers of /proxy. The contract fixes every byte.
import { Answer, UNAVAILABLE_HEADERS } from '@tessera/server';
import { envelope, escapeText } from '../protocol/xml.js';

/** @see CAS 3.0 §2.7.3 */
export type ProxyFailureCode =
  'INVALID_REQUEST' | 'INVALID_TICKET' | 'UNAUTHORIZED_SERVICE' | 'INTERNAL_ERROR';

const TYPE = 'application/xml;charset=UTF-8';

export function proxySuccess(ticket: string): Answer {
  const body = envelope(
    '    <cas:proxySuccess>\n' +
      `        <cas:proxyTicket>${ticket}</cas:proxyTicket>\n` +
      '    </cas:proxySuccess>\n',
  );
  return new Answer(200, TYPE, body);
}

/** @param status 503 for an error of the server; other failures have 200 */
export function proxyFailure(
  code: ProxyFailureCode,
  description: string,
  status: 200 | 503 = 200,
): Answer {
  const text = escapeText(description);
  const body = envelope(`    <cas:proxyFailure code="${code}">${text}</cas:proxyFailure>\n`);
  return new Answer(status, TYPE, body, status === 503 ? UNAVAILABLE_HEADERS : {});
}
