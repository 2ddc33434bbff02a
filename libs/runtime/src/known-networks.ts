// The networks from which somebody has logged in recently, in the memory of this process.

const MAX_NETWORKS = 10_000;
const DAY_MS = 86_400_000;

/** By network: the time of the last login, the oldest first. */
const logins = new Map<string, number>();

/** Remembers a successful login for a day. Of many networks, those of the last logins. */
export function rememberNetwork(network: string, now = performance.now()): void {
  logins.delete(network);
  logins.set(network, now);
  if (logins.size <= MAX_NETWORKS) return;
  const [oldest] = logins.keys();
  if (oldest !== undefined) logins.delete(oldest);
}

export function isKnownNetwork(network: string, now = performance.now()): boolean {
  return now - (logins.get(network) ?? -Infinity) < DAY_MS;
}
