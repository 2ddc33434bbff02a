// Circuit breakers for the applications that get logout messages: one that does not answer is left alone for a while.
import type { OutgoingError } from '../outgoing/errors.js';

/** As many calls as one application gets at once. */
const FAILURES_TO_OPEN = 4;
const OPEN_FOR_MS = 15_000;
/** Names are chosen by callers. Beyond it the oldest breaker is forgotten. */
const MAX_BREAKERS = 1_000;

interface Breaker {
  /** Calls without an answer since the last answer. */
  failures: number;
  /** Half-open from then on: the next call is let through, and no other for as long again. */
  openUntil: number;
  error: OutgoingError;
}

/** Times are in milliseconds, of any one clock. */
export class CircuitBreakers {
  private readonly breakers = new Map<string, Breaker>();

  /** The names of open breakers. */
  openAt(now: number): readonly string[] {
    return [...this.breakers].flatMap(([name, breaker]) =>
      isOpen(breaker) && now < breaker.openUntil ? [name] : [],
    );
  }

  /** The last error, where the breaker is open; undefined lets a call through. */
  refusal(name: string, now: number): OutgoingError | undefined {
    const breaker = this.breakers.get(name);
    if (breaker === undefined || !isOpen(breaker)) return undefined;
    if (now < breaker.openUntil) return breaker.error;
    breaker.openUntil = now + OPEN_FOR_MS;
    return undefined;
  }

  /** Any answer closes the breaker. */
  recordAnswer(name: string): void {
    this.breakers.delete(name);
  }

  recordFailure(name: string, error: OutgoingError, now: number): void {
    const failures = (this.breakers.get(name)?.failures ?? 0) + 1;
    this.breakers.delete(name);
    this.breakers.set(name, { failures, openUntil: now + OPEN_FOR_MS, error });
    const [oldest] = this.breakers.keys();
    if (this.breakers.size > MAX_BREAKERS && oldest !== undefined) this.breakers.delete(oldest);
  }
}

function isOpen({ failures }: Breaker): boolean {
  return failures >= FAILURES_TO_OPEN;
}
