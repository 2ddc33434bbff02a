// Owns that something is done again and again, with a pause in between that may change.

export class Repetition {
  private timer: NodeJS.Timeout | undefined;
  private isActing = false;
  private isOver = false;

  /**
   * @param pause in milliseconds, asked each time; 0: not before {@link restart}
   * @param act never fails
   */
  constructor(
    private readonly pause: () => number,
    private readonly act: () => Promise<unknown>,
  ) {}

  /** Begins with a pause, as long as it is to be now. */
  restart(): void {
    clearTimeout(this.timer);
    const pause = this.pause();
    if (this.isActing || this.isOver || pause === 0) return;
    this.timer = setTimeout(() => void this.once(), pause).unref();
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private async once(): Promise<void> {
    this.isActing = true;
    await this.act();
    this.isActing = false;
    this.restart();
  }
}
