// Answers to clients that should try again later. OAuth has one error for it. @see RFC 6749, section 4.1.2.1
import type { KoaContextWithOIDC } from 'oidc-provider';

/** @param seconds after which another attempt makes sense */
export function answerTemporarily(
  ctx: Pick<KoaContextWithOIDC, 'status' | 'body' | 'set'>,
  status: 429 | 503,
  description: string,
  seconds: number | string,
): void {
  ctx.status = status;
  ctx.set({
    'Retry-After': String(seconds),
    'Cache-Control': 'no-store',
  });
  ctx.body = { error: 'temporarily_unavailable', error_description: description };
}
