// The errors of requests for proxy-granting tickets.
import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. They are the codes of the protocol. @see CAS 3.0 §2.5.3 */
export type ProxyErrorCode = 'UNAUTHORIZED_SERVICE_PROXY' | 'INVALID_PROXY_CALLBACK';

/** No proxy-granting ticket was issued. The message is public. */
export class ProxyError extends CodedError<ProxyErrorCode> {}
