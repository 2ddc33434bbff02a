// Owns what to do about a server that seems to speak HTTPS where HTTP is asked for, or the other way round: neither says so.

/** Reads on from what is told of the fault; undefined where the scheme of the URL is likely to be right. */
export function schemeHint(url: string, error: unknown): string | undefined {
  const { code, message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (/^https:/i.test(url)) {
    const isPlain = code === 'EPROTO' && /wrong version number|packet length/.test(message);
    return isPlain ? 'it seems to speak plain HTTP: write http://' : undefined;
  }
  return code === 'ECONNRESET' ? 'if it speaks TLS, write https://' : undefined;
}
