/** A URL for the log. Queries may hold secrets. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
