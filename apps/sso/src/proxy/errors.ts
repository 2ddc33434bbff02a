// The errors of requests for proxy-granting tickets.

/** Stable codes; docs/errors.md lists them. They are the codes of the protocol. @see CAS 3.0 §2.5.3 */
export type ProxyErrorCode = 'UNAUTHORIZED_SERVICE_PROXY' | 'INVALID_PROXY_CALLBACK';

/** No proxy-granting ticket was issued. The message is public. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';

  constructor(
    readonly code: ProxyErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
