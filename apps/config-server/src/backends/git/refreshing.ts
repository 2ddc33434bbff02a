// Owns when something is fetched anew: on demand, by the clock, and after failures with growing waits; never twice at a
// time. What is fetched is not known here.
import { withoutRequestId } from '@tessera/logging';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export class Refreshing {
  private running: Promise<void> | undefined;
  private following: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isClosed = false;

  /** @param interval milliseconds from the end of one fetch to the next; 0 for none by the clock while fetches succeed */
  constructor(
    private readonly fetch: () => Promise<void>,
    private readonly interval: number,
  ) {}

  /**
   * A fetch that begins after this call, so that it sees what was there before. Any number of calls while one runs share
   * the next. Fails as it fails.
   */
  now(): Promise<void> {
    if (this.running === undefined) return this.start();
    this.following ??= this.running
      .catch(() => {})
      .then(() => {
        this.following = undefined;
        return this.start();
      });
    return this.following;
  }

  /** When what runs now has ended, however it did. */
  async settled(): Promise<void> {
    await this.running?.catch(() => {});
  }

  /** Lets nothing begin any more. Whoever fetches ends what runs. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private start(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isClosed) return Promise.reject(new Error('refreshing was closed'));
    this.running = this.fetch()
      .then(
        () => {
          this.failures = 0;
        },
        (error: unknown) => {
          this.failures += 1;
          throw error;
        },
      )
      .finally(() => {
        this.running = undefined;
        this.schedule();
      });
    return this.running;
  }

  private schedule(): void {
    const wait = waitAfter(this.failures, this.interval);
    if (this.isClosed || wait === 0) return;
    const fetchAgain = (): void => void this.now().catch(() => {});
    // It is of no request, whoever asked for the fetch before.
    this.timer = withoutRequestId(() => setTimeout(fetchAgain, wait).unref());
  }
}

/** Milliseconds to the next fetch; 0 for none. Failures are told by whoever fetches. */
export function waitAfter(failures: number, interval: number): number {
  if (failures === 0) return interval;
  return Math.min(SECOND * 2 ** (failures - 1), interval || MINUTE);
}
