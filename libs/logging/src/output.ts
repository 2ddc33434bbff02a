// Owns the form of lines and the place they go to. What is in them is cleaned before.
import { createRequire } from 'node:module';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

/** Where lines go and how they look. */
export interface OutputOptions {
  /** The field `application` of each line. */
  readonly application: string;
  /** Lines for people instead of JSON; default: where standard output is a terminal. */
  readonly pretty?: boolean;
  /** Takes each line, without its line break, instead of standard output. */
  readonly write?: (line: string) => void;
}

/** Opens the output. It writes every level: loggers decide before. */
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

/** Loads pino-pretty only here: services that write JSON never pay for it. */
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
    messageFormat: (line, messageKey) => `${String(line['logger'])}: ${String(line[messageKey])}`,
  });
  const emit = write ?? ((line: string) => void process.stdout.write(`${line}\n`));
  return { write: (line) => emit(withoutLineBreak(format(line))) };
}

/** Where the terminal is closed lines are lost, and nothing else: whoever is told of it ends in good order. */
function ignore(): void {}

function withoutLineBreak(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}
