// Named loggers and their configuration.
import type { Logger as Output } from 'pino';
import { levelFor, RANK, type LogLevel } from './levels.js';
import { openOutput, type OutputOptions } from './output.js';
import { cleanText } from './redaction/clean-text.js';
import { Redactor, type CleanFields } from './redaction/redactor.js';
import { currentRequestId } from './request-context.js';
import { currentTraceIds } from './trace-ids.js';

/** Further fields of a line; values of any type are cleaned. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes lines under one name. A disabled level costs almost nothing. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Check it before computing expensive fields. */
  isEnabled(level: LogLevel): boolean;
}

export interface LoggingOptions extends OutputOptions {
  /** Lowest level written, by logger or dotted prefix; `root` (default `info`) for all others. */
  readonly levels: Readonly<Record<string, LogLevel>>;
}

/** Before `configureLogging`: warnings and errors only. */
const UNCONFIGURED: LoggingOptions = { application: 'tessera', levels: { root: 'warn' } };

/** Members of every line; a field of such a name gets the suffix `_`. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'level',
  'time',
  'pid',
  'application',
  'logger',
  'requestId',
  'trace.id',
  'span.id',
  'msg',
]);

let options = UNCONFIGURED;
let output: Output | undefined;
const loggers = new Map<string, NamedLogger>();

/** Sets levels, format and destination of all lines, also for existing loggers. */
export function configureLogging(newOptions: LoggingOptions): void {
  options = newOptions;
  output = undefined;
  for (const logger of loggers.values()) logger.applyLevels(options.levels);
}

/** The logger of a name, always the same one. It works before logging is configured. */
export function loggerFor(name: string): Logger {
  const known = loggers.get(name);
  if (known) return known;
  const logger = new NamedLogger(name);
  loggers.set(name, logger);
  return logger;
}

class NamedLogger implements Logger {
  readonly #name: string;
  #threshold = 0;

  constructor(name: string) {
    this.#name = cleanText(name);
    this.applyLevels(options.levels);
  }

  applyLevels(levels: LoggingOptions['levels']): void {
    this.#threshold = RANK[levelFor(this.#name, levels)];
  }

  isEnabled(level: LogLevel): boolean {
    return RANK[level] >= this.#threshold;
  }

  debug(fields: LogFields, message: string): void {
    if (RANK.debug >= this.#threshold) this.#write('debug', fields, message);
  }

  info(fields: LogFields, message: string): void {
    if (RANK.info >= this.#threshold) this.#write('info', fields, message);
  }

  warn(fields: LogFields, message: string): void {
    if (RANK.warn >= this.#threshold) this.#write('warn', fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.#write('error', fields, message);
  }

  #write(level: LogLevel, fields: LogFields, message: string): void {
    const redactor = new Redactor();
    const text = String(redactor.value(message));
    const line = Object.create(null) as CleanFields;
    line['logger'] = this.#name;
    line['requestId'] = redactor.value(currentRequestId());
    const trace = currentTraceIds();
    if (trace !== undefined) {
      line['trace.id'] = trace.traceId;
      line['span.id'] = trace.spanId;
    }
    for (const [name, value] of Object.entries(redactor.fields(fields))) {
      line[isReserved(name) ? `${name}_` : name] = value;
    }
    output ??= openOutput(options);
    output[level](line, text);
  }
}

/** Includes names of Object.prototype, which pino would look up as its own functions. */
function isReserved(name: string): boolean {
  return RESERVED_NAMES.has(name) || name in Object.prototype;
}
