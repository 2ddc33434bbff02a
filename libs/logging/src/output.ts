// Opens the log output: JSON or pretty lines, to standard output or a function. Lines arrive cleaned.
import { createRequire } from 'node:module';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export interface OutputOptions {
  /** The field `application` of each line. */
  readonly application: string;
  /** Human-readable lines instead of JSON; default: if standard output is a terminal. */
  readonly pretty?: boolean;
  /** Receives each line, without its line break, instead of standard output. */
  readonly write?: (line: string) => void;
}

/** Opens the output. It writes every level; loggers filter. */
export function openOutput(options: OutputOptions): Logger {
  return pino(
    {
      level: 'debug',
      base: { application: options.application, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (cleaned: unknown) => cleaned },
    },
    destinationOf(options),
  );
}

function destinationOf({ pretty, write }: OutputOptions): DestinationStream {
  const isTerminal = process.stdout.isTTY && !write;
  if (isTerminal) process.stdout.off('error', ignore).on('error', ignore);
  if (pretty ?? isTerminal) return prettyDestination(write, isTerminal);
  if (write) return { write: (line) => write(withoutLineBreak(line)) };
  return destination({ fd: process.stdout.fd, sync: false });
}

/** Loads pino-pretty at need, so that services with JSON output do not pay for it. */
function prettyDestination(
  write: ((line: string) => void) | undefined,
  colorize: boolean,
): DestinationStream {
  const load = createRequire(import.meta.url);
  const { prettyFactory } = load('pino-pretty') as typeof import('pino-pretty');
  const format = prettyFactory({
    colorize,
    singleLine: true,
    errorLikeObjectKeys: [],
    ignore: 'pid,application,logger',
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: ({ application, logger, ...line }, messageKey) =>
      `[${String(application)}] ${String(logger)}: ${String(line[messageKey])}`,
  });
  const emit = write ?? ((line: string) => void process.stdout.write(`${line}\n`));
  return { write: (line) => emit(withoutLineBreak(format(line))) };
}

/** After the terminal is closed lines are lost; the process shuts down on the signal. */
function ignore(): void {}

function withoutLineBreak(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}
