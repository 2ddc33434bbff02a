// Owns the loggers by name and their configuration. Cleaning and output are next door.
import type { Logger as Output } from 'pino';
import { levelFor, RANK, type LogLevel } from './levels.js';
import { openOutput, type OutputOptions } from './output.js';
import { cleanText } from './redaction/clean-text.js';
import { Cleaner, type CleanFields } from './redaction/cleaner.js';
import { currentRequestId } from './request-id.js';

/** Facts that go with a message; any value is allowed, none can break the line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes lines under one name. A level that is off costs next to nothing. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** To be asked before fields are put together that cost something. */
  isEnabled(level: LogLevel): boolean;
}

export interface LoggingOptions extends OutputOptions {
  /** Lowest level written, by logger or dotted prefix; `root` (default `info`) for the rest. */
  readonly levels: Readonly<Record<string, LogLevel>>;
}

/** Until somebody configures logging: no chatter, but nothing that matters is lost. */
const UNCONFIGURED: LoggingOptions = { application: 'tessera', levels: { root: 'warn' } };

/** Names that lines have of their own; a field so named gets a `_` behind it. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'level',
  'time',
  'pid',
  'application',
  'logger',
  'requestId',
  'msg',
]);

let options = UNCONFIGURED;
let output: Output | undefined;
const loggers = new Map<string, NamedLogger>();

/** Sets levels, form and place of all lines, also for loggers that exist already. */
export function configureLogging(newOptions: LoggingOptions): void {
  options = newOptions;
  output = undefined;
  for (const logger of loggers.values()) logger.applyLevels(options.levels);
}

/** The logger of a name; the same one each time, and usable before logging is configured. */
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
    const cleaner = new Cleaner();
    const text = String(cleaner.value(message));
    const line = Object.create(null) as CleanFields;
    line['logger'] = this.#name;
    line['requestId'] = cleaner.value(currentRequestId());
    for (const [name, value] of Object.entries(cleaner.fields(fields))) {
      line[isTaken(name) ? `${name}_` : name] = value;
    }
    output ??= openOutput(options);
    output[level](line, text);
  }
}

/** Names that objects have by nature would lead pino to functions it takes for its own. */
function isTaken(name: string): boolean {
  return OWN_NAMES.has(name) || name in Object.prototype;
}
