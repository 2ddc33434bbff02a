import { describe, expect, test } from '@jest/globals';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import {
  codeOf,
  DatabaseError,
  isUnavailable,
  reasonOf,
  toDatabaseError,
  unavailabilityOf,
} from './database-errors.js';

function errorWith(fields: Record<string, unknown>, message = 'said by the driver'): Error {
  return Object.assign(new Error(message), fields);
}

describe('isUnavailable', () => {
  test.each([
    ['connection refused', errorWith({ code: 'ECONNREFUSED' })],
    [
      'both addresses of a name refused',
      new AggregateError([errorWith({ code: 'ECONNREFUSED' })], 'both'),
    ],
    ['a Unix socket that is not there', errorWith({ code: 'ENOENT', syscall: 'connect' })],
    ['a Unix socket with a full queue', errorWith({ code: 'EAGAIN', syscall: 'connect' })],
    ['a host name that does not resolve yet', errorWith({ code: 'ENOTFOUND' })],
    ['connection reset', errorWith({ code: 'ECONNRESET' })],
    ['connection timed out', errorWith({}, 'timeout expired')],
    ['no free connection in time', errorWith({}, 'timeout exceeded when trying to connect')],
    ['statement timed out at the server', errorWith({ code: '57014' })],
    ['connection lost', errorWith({}, 'Connection terminated unexpectedly')],
    [
      'statement after the loss',
      errorWith({}, 'Client has encountered a connection error and is not queryable'),
    ],
    ['SQLSTATE 08006 connection_failure', errorWith({ code: '08006' })],
    ['SQLSTATE 57P01 admin_shutdown', errorWith({ code: '57P01' })],
    ['SQLSTATE 57P02 crash_shutdown', errorWith({ code: '57P02' })],
    ['SQLSTATE 57P03 cannot_connect_now', errorWith({ code: '57P03' })],
    ['SQLSTATE 53300 too_many_connections', errorWith({ code: '53300' })],
    ['SQLSTATE 53000 insufficient_resources', errorWith({ code: '53000' })],
    ['SQLSTATE 25P03 idle_in_transaction_session_timeout', errorWith({ code: '25P03' })],
    ['SQLSTATE 55P03 lock_not_available', errorWith({ code: '55P03' })],
    ['SQLSTATE 53100 disk_full', errorWith({ code: '53100' })],
    ['SQLSTATE 53200 out_of_memory', errorWith({ code: '53200' })],
    ['SQLSTATE 58030 io_error', errorWith({ code: '58030' })],
    ['SQLSTATE 0A000, of a standby that cannot read unlogged tables', errorWith({ code: '0A000' })],
    ['SQLSTATE 25006 read_only_sql_transaction', errorWith({ code: '25006' })],
    ['the same inside TypeORM', new QueryFailedError('select', [], errorWith({ code: '57P01' }))],
    ['a runner whose connection broke', new QueryRunnerAlreadyReleasedError()],
    ['a transaction whose connection broke', new QueryRunnerProviderAlreadyReleasedError()],
    ['the cause of another error', new Error('outer', { cause: errorWith({ code: 'EPIPE' }) })],
    ['our own error', new DatabaseError('DATABASE_UNAVAILABLE', 'away')],
  ])('knows %s', (_rule, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  test.each([
    ['a unique violation', errorWith({ code: '23505' })],
    ['a missing table', errorWith({ code: '42P01' })],
    ['a wrong password', errorWith({ code: '28P01' })],
    ['a missing file', errorWith({ code: 'ENOENT', syscall: 'open' })],
    ['a dropped database', errorWith({ code: '57P04' })],
    ['a limit that the administrator set', errorWith({ code: '53400' })],
    ['a failed serialization', errorWith({ code: '40001' })],
    ['a deadlock', errorWith({ code: '40P01' })],
    ['an aborted transaction', errorWith({ code: '25P02' })],
    ['a file of the server that is missing', errorWith({ code: '58P01' })],
    ['damaged data', errorWith({ code: 'XX001' })],
    ['an error of ours', new TypeError('undefined is not a function')],
    ['an error that is its own cause', selfCaused()],
    ['our own other errors', new DatabaseError('DATABASE_NEWER', 'newer')],
    ['a text', 'ECONNREFUSED'],
    ['nothing', undefined],
    ['null', null],
  ])('leaves %s alone', (_rule, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});

describe('toDatabaseError', () => {
  test('keeps the message of the driver in the cause alone', () => {
    const cause = errorWith({ code: 'ECONNREFUSED' }, 'connect ECONNREFUSED db.internal:5432');
    const error = toDatabaseError(cause) as DatabaseError;
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error.code).toBe('DATABASE_UNAVAILABLE');
    expect(error.message).not.toContain('db.internal');
    expect(error.cause).toBe(cause);
  });

  test.each([
    ['53100', 'disk full'],
    ['53200', 'out of memory'],
    ['58030', 'I/O error'],
    ['25006', 'read-only'],
  ])('says why a database cannot work: SQLSTATE %s is %s', (code, reason) => {
    const error = toDatabaseError(
      new QueryFailedError('', [], errorWith({ code })),
    ) as DatabaseError;
    expect(error.message).toBe(`The database is not available: ${reason}.`);
    expect(unavailabilityOf(error)).toBe(reason);
  });

  test.each([
    ['another error', errorWith({ code: '23505' })],
    ['an error of this library', new DatabaseError('DATABASE_UNAVAILABLE', 'away')],
  ])('returns %s as it was', (_rule, error) => {
    expect(toDatabaseError(error)).toBe(error);
  });
});

describe('reasonOf', () => {
  test.each([
    ['the message', new Error('broken'), 'broken'],
    [
      'the code of an error without message',
      errorWith({ code: 'ECONNREFUSED' }, ''),
      'ECONNREFUSED',
    ],
    ['a thrown text itself', 'broken', 'broken'],
    ['the word for nothing', undefined, 'undefined'],
  ])('is %s', (_rule, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });

  test('codeOf is empty when a code is no text', () => {
    expect(codeOf(errorWith({ code: 7 }))).toBe('');
  });
});

function selfCaused(): Error {
  const error: Error & { cause?: unknown } = new Error('again');
  error.cause = error;
  return error;
}
