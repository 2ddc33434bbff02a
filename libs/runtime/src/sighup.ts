// Owns what SIGHUP says to a process: that its terminal is gone, or that it is to read its settings again. What is done
// then is for those who listen.
import { closeSync, constants, openSync } from 'node:fs';

/** What opening a terminal fails with that was closed, or is being closed. */
const GONE: readonly (string | undefined)[] = ['ENXIO', 'EIO'];

let ofProcess: SighupHandler | undefined;

/**
 * Those of this process: from the first call on SIGHUP does not end it. To be called while the terminal that the process
 * was started at is still there.
 */
export function handleSighup(): SighupHandler {
  if (ofProcess !== undefined) return ofProcess;
  const hangUps = new SighupHandler();
  process.on('SIGHUP', () => hangUps.hear());
  ofProcess = hangUps;
  return hangUps;
}

/** Each one counts: what comes before somebody listens is told to him when he does. */
export class SighupHandler {
  private readonly hadTerminal: boolean;
  private readonly ends = new Occasion();
  private readonly requests = new Occasion();

  /** @param faultOfTerminal why the terminal of the process cannot be opened, as a code of the system */
  constructor(private readonly faultOfTerminal = codeOfTerminal) {
    this.hadTerminal = faultOfTerminal() === undefined;
  }

  /** Takes one in. Who was started without a terminal has none to lose. */
  hear(): void {
    const isGone = this.hadTerminal && GONE.includes(this.faultOfTerminal());
    (isGone ? this.ends : this.requests).come();
  }

  onTerminalClosed(end: () => void): void {
    this.ends.await(end);
  }

  onReload(reload: () => void): void {
    this.requests.await(reload);
  }
}

/** Something that comes now and then, and has one listener at a time. */
class Occasion {
  private listener: (() => void) | undefined;
  private hasComeUnheard = false;

  come(): void {
    if (this.listener === undefined) this.hasComeUnheard = true;
    else this.listener();
  }

  await(listener: () => void): void {
    this.listener = listener;
    if (this.hasComeUnheard) listener();
    this.hasComeUnheard = false;
  }
}

function codeOfTerminal(): string | undefined {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
