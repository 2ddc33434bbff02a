/** Repeats an action, with a delay from the end of one run to the start of the next. Its timer keeps no process alive. */
export class Poller {
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private isStopped = false;

  /**
   * @param delay milliseconds, read before each run; 0 pauses the poller until {@link restart}
   * @param run never fails
   */
  constructor(
    private readonly delay: () => number,
    private readonly run: () => Promise<unknown>,
  ) {}

  /** Starts, or starts the current delay again. A run under way goes on, and the next delay follows it. */
  restart(): void {
    clearTimeout(this.timer);
    const delay = this.delay();
    if (this.isRunning || this.isStopped || delay === 0) return;
    this.timer = setTimeout(() => void this.runOnce(), delay).unref();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async runOnce(): Promise<void> {
    this.isRunning = true;
    await this.run();
    this.isRunning = false;
    this.restart();
  }
}
