import { beforeEach, describe, expect, test } from '@jest/globals';
import { Logger as NestLogger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { configureLogging } from './loggers.js';
import { nestLogger } from './nest-logger.js';

const lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines.length = 0;
  configureLogging({
    application: 'sso',
    levels: { root: 'debug', 'nest.Quiet': 'error' },
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
});

describe('a message of Nest', () => {
  const nest = nestLogger();
  test.each<[string, () => void, Record<string, unknown>]>([
    [
      'with a context',
      () => nest.log('m', 'Router'),
      { level: 'debug', logger: 'nest.Router', msg: 'm' },
    ],
    ['without one', () => nest.warn('m'), { level: 'warn', logger: 'nest', msg: 'm' }],
    ['of level verbose', () => nest.verbose?.('m', 'C'), { level: 'debug', logger: 'nest.C' }],
    ['of level debug', () => nest.debug?.('m', 'C'), { level: 'debug' }],
    [
      'of an error that the program reports itself',
      () => nest.error('m', 'E\n    at x', 'ExceptionHandler'),
      { level: 'debug', logger: 'nest.ExceptionHandler' },
    ],
    ['of level fatal', () => nest.fatal?.('m', 'C'), { level: 'error' }],
    [
      'with stack and context',
      () => nest.error('m', 'E\n    at x', 'C'),
      { level: 'error', logger: 'nest.C', stack: ['E', '    at x'] },
    ],
    [
      'with a stack alone',
      () => nest.error('m', 'E\n    at x'),
      { logger: 'nest', stack: ['E', '    at x'] },
    ],
    [
      'with no stack but its place',
      () => nest.error('m', undefined, 'C'),
      { logger: 'nest.C', msg: 'm' },
    ],
    [
      'with values',
      () => nest.log('m', { password: 'x' }, 'C'),
      { values: [{ password: '[redacted]' }], logger: 'nest.C' },
    ],
    [
      'that is an error',
      () => nest.error(new Error('bad'), 'C'),
      { details: { type: 'Error', message: 'bad' } },
    ],
  ])('%s becomes a line of ours', (_rule, say, line) => {
    say();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject(line);
  });

  test('is held back by the level of its context', () => {
    nest.log('m', 'Quiet');
    expect(lines).toEqual([]);
  });
});

@Module({})
class Empty {}

test('Nest itself speaks through it', async () => {
  const application = await NestFactory.createApplicationContext(Empty, { logger: nestLogger() });
  new NestLogger('Own').log('hello');
  await application.close();
  expect(lines).toContainEqual(
    expect.objectContaining({ logger: 'nest.NestFactory', level: 'debug' }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ logger: 'nest.Own', msg: 'hello' }));
});
