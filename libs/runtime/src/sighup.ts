// SIGHUP: either the terminal of the process was closed, or a reload is requested.
import { closeSync, constants, openSync } from 'node:fs';

/** The errors of opening a terminal that was closed, or is being closed. */
const CLOSED: readonly (string | undefined)[] = ['ENXIO', 'EIO'];

let handler: SighupHandler | undefined;

/**
 * The handler of this process. From the first call on, SIGHUP does not end the process. Call it while the terminal that
 * started the process is still open.
 */
export function handleSighup(): SighupHandler {
  if (handler === undefined) {
    const created = new SighupHandler();
    process.on('SIGHUP', () => created.onSignal());
    handler = created;
  }
  return handler;
}

/** Calls one of two listeners for each signal. A listener that is set later gets the signals before it as one call. */
export class SighupHandler {
  private readonly hadTerminal: boolean;
  private readonly terminalClosed = new LatchedEvent();
  private readonly reloadRequested = new LatchedEvent();

  /** @param terminalError the error code of opening the process's terminal, such as ENXIO; undefined when it opens */
  constructor(private readonly terminalError = errorOfTerminal) {
    this.hadTerminal = terminalError() === undefined;
  }

  /** A process that was started without a terminal cannot lose it. */
  onSignal(): void {
    const isClosed = this.hadTerminal && CLOSED.includes(this.terminalError());
    (isClosed ? this.terminalClosed : this.reloadRequested).emit();
  }

  onTerminalClosed(listener: () => void): void {
    this.terminalClosed.listen(listener);
  }

  onReload(listener: () => void): void {
    this.reloadRequested.listen(listener);
  }
}

/** An event with one listener, which keeps an event until there is a listener. */
class LatchedEvent {
  private listener: (() => void) | undefined;
  private isPending = false;

  emit(): void {
    if (this.listener === undefined) this.isPending = true;
    else this.listener();
  }

  listen(listener: () => void): void {
    this.listener = listener;
    if (this.isPending) listener();
    this.isPending = false;
  }
}

function errorOfTerminal(): string | undefined {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
