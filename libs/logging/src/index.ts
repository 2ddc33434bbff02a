// The public API of the logging library.
export type { LogLevel } from './levels.js';
export {
  configureLogging,
  loggerFor,
  type LogFields,
  type Logger,
  type LoggingOptions,
} from './loggers.js';
export { cleanText, maskTickets } from './redaction/clean-text.js';
export { nestLogger } from './nest-logger.js';
export {
  currentCaller,
  currentClientAddress,
  currentRequestId,
  withoutRequest,
  withRequest,
  type Caller,
  type RequestOrigin,
} from './request-context.js';
export { logTraceIds, type TraceIds } from './trace-ids.js';
export { withoutQuery } from './without-query.js';
