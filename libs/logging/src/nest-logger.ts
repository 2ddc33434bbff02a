// Writes Nest's own messages to our log.
import type { LoggerService } from '@nestjs/common';
import type { LogLevel } from './levels.js';
import { loggerFor } from './loggers.js';

/** Logs Nest's messages under `nest.<context>`. Level `log` becomes `debug`: operators do not need those messages. */
export function nestLogger(): LoggerService {
  return {
    verbose: writer('debug'),
    debug: writer('debug'),
    log: writer('debug'),
    warn: writer('warn'),
    error: writer('error'),
    fatal: writer('error'),
  };
}

/** Errors of the start, which the program reports itself, once and without a stack. */
const REPORTED_BY_PROGRAM = new Set(['ExceptionHandler', 'TypeOrmModule']);

/** Nest passes the message, then optional values, an optional stack, and usually the context last. */
function writer(level: LogLevel): (message: unknown, ...rest: unknown[]) => void {
  return (message, ...rest) => {
    const stack = rest.find(isStack);
    const others = rest.filter((value) => value !== undefined && !isStack(value));
    const last = others.at(-1);
    const context = typeof last === 'string' ? last : undefined;
    const details = context === undefined ? others : others.slice(0, -1);
    const logger = loggerFor(context === undefined ? 'nest' : `nest.${context}`);
    const effective = REPORTED_BY_PROGRAM.has(context ?? '') ? 'debug' : level;
    if (!logger.isEnabled(effective)) return;
    const isText = typeof message === 'string';
    const fields = {
      ...(isText ? {} : { details: message }),
      ...(stack === undefined ? {} : { stack }),
      ...(details.length > 0 ? { values: details } : {}),
    };
    logger[effective](fields, isText ? message : 'see details');
  };
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && /\n\s+at /.test(value);
}
