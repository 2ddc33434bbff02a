// Fetches on demand, at an interval, and after failures with exponential backoff.
import { withoutRequest } from '@tessera/logging';
import { backoffDelay, Poller, trailingSingleFlight } from '@tessera/runtime';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export class RefreshScheduler {
  private readonly fetchNext: () => Promise<void>;
  private readonly poller: Poller;
  private underWay: Promise<void> | undefined;
  private failures = 0;
  private isClosed = false;

  /** @param interval milliseconds from the end of one fetch to the next; 0 for no fetches at an interval */
  constructor(fetch: () => Promise<void>, interval: number) {
    this.fetchNext = trailingSingleFlight(() => this.run(fetch));
    this.poller = new Poller(
      () => refreshDelay(this.failures, interval),
      () => this.now().catch(() => {}),
    );
  }

  /** A fetch that begins after this call. Calls that come during a fetch share the next one. Fails when the fetch fails. */
  now(): Promise<void> {
    return this.fetchNext();
  }

  /** Resolves when the current fetch has ended, or has failed. */
  async settled(): Promise<void> {
    await this.underWay?.catch(() => {});
  }

  /** Starts no more fetches. A fetch under way goes on. */
  close(): void {
    this.isClosed = true;
    this.poller.stop();
  }

  private async run(fetch: () => Promise<void>): Promise<void> {
    if (this.isClosed) throw new Error('refreshing was closed');
    try {
      this.underWay = fetch();
      await this.underWay;
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      throw error;
    } finally {
      this.underWay = undefined;
      // The next fetch belongs to no request.
      withoutRequest(() => this.poller.restart());
    }
  }
}

/** Milliseconds to the next fetch; 0 for none. */
export function refreshDelay(failures: number, interval: number): number {
  if (failures === 0) return interval;
  return backoffDelay(failures, { initial: SECOND, max: interval || MINUTE });
}
