import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { CryptoError } from '@tessera/crypto';
import { configureLogging } from '@tessera/logging';
import { errorResponseOf } from './request-errors.filter.js';

let codes: unknown[];

beforeEach(() => {
  codes = [];
  const write = (line: string): void => {
    const { error } = JSON.parse(line) as { readonly error: { readonly code: string } };
    codes.push(error.code);
  };
  configureLogging({ application: 'test', levels: {}, write });
});
afterEach(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

test('a caller that has closed the connection was not answered, which is no warning', () => {
  const error = new CryptoError('CALLER_GONE', 'the caller has closed the connection');
  expect(errorResponseOf(error, {} as Request)).toMatchObject({ status: 503 });
  expect(codes).toEqual([]);
});

test('of very many answers with 503 for one cause, the first in a second is logged', () => {
  for (let count = 0; count < 1_000; count += 1) {
    for (const code of ['ECONNREFUSED', 'DATABASE_UNAVAILABLE']) {
      const error = Object.assign(new Error('busy'), { code });
      expect(errorResponseOf(error, {} as Request)).toMatchObject({ status: 503 });
    }
  }
  expect(codes.length).toBeLessThan(20);
  expect(codes.slice(0, 2)).toEqual(['ECONNREFUSED', 'DATABASE_UNAVAILABLE']);
});
