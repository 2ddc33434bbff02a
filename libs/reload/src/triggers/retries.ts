// Owns when what was refused is tried again: soon, and then with pauses that grow.

/** In milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

export class Retries {
  private pause: number;
  private due: number | undefined;

  /** @param now in milliseconds */
  constructor(
    private readonly firstPause = FIRST_PAUSE,
    private readonly now = () => performance.now(),
  ) {
    this.pause = firstPause;
  }

  /** To be asked again and again; whoever hears that it is tries. @param isRefused whether there is anything to try */
  isDue(isRefused: boolean): boolean {
    if (!isRefused) {
      this.pause = this.firstPause;
      this.due = undefined;
      return false;
    }
    this.due ??= this.now() + this.pause;
    if (this.now() < this.due) return false;
    // The next pause begins when the trying, which may take long, is over.
    this.due = undefined;
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    return true;
  }
}
