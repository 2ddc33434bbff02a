import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { anything, assert, constantFrom, dictionary, property, stringMatching } from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import type { LogLevel } from './levels.js';
import { configureLogging, loggerFor } from './loggers.js';
import { withRequest } from './request-context.js';
import { logTraceIds } from './trace-ids.js';

const lines: string[] = [];

const configure = (levels: Record<string, LogLevel> = {}, pretty = false): void => {
  lines.length = 0;
  configureLogging({ application: 'sso', levels, pretty, write: (line) => lines.push(line) });
};

const parsed = (): unknown[] => lines.map((line): unknown => JSON.parse(line));

afterEach(() => configure());

describe('a line', () => {
  test('says when, how urgent, who and what', () => {
    configure();
    loggerFor('sso.rest').info({ user: 'casuser' }, 'signed in');
    expect(parsed()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        application: 'sso',
        pid: process.pid,
        logger: 'sso.rest',
        user: 'casuser',
        msg: 'signed in',
      },
    ]);
  });

  test('carries the id of its own request, across awaiting', async () => {
    configure();
    const log = loggerFor('a');
    const request = (id: string) =>
      withRequest({ id }, async () => {
        log.info({}, `begin ${id}`);
        await setTimeout(1);
        log.info({}, `end ${id}`);
      });
    await Promise.all([request('r1'), request('r2')]);
    log.info({}, 'outside');
    const ids = lines.map((line) => JSON.parse(line) as { requestId?: string; msg: string });
    expect(ids.map(({ requestId, msg }) => `${msg}: ${requestId}`)).toEqual([
      'begin r1: r1',
      'begin r2: r2',
      'end r1: r1',
      'end r2: r2',
      'outside: undefined',
    ]);
  });

  test('carries the ids of the current trace, if there is one', () => {
    configure();
    const log = loggerFor('a');
    logTraceIds(() => ({ traceId: 'a1', spanId: 'b2' }));
    log.info({}, 'inside');
    logTraceIds(() => undefined);
    log.info({}, 'outside');
    expect(parsed()).toEqual([
      expect.objectContaining({ 'trace.id': 'a1', 'span.id': 'b2', msg: 'inside' }),
      expect.not.objectContaining({ 'trace.id': expect.anything() }),
    ]);
  });

  test('keeps its own names: a field cannot take them', () => {
    configure();
    const names = [
      'level',
      'time',
      'pid',
      'application',
      'logger',
      'requestId',
      'trace.id',
      'span.id',
      'msg',
      '__proto__',
      'constructor',
      'toString',
    ];
    withRequest({ id: 'r' }, () => {
      loggerFor('a').info(Object.fromEntries(names.map((name) => [name, 'forged'])), 'true');
    });
    const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(line).toMatchObject({
      level: 'info',
      application: 'sso',
      logger: 'a',
      requestId: 'r',
      msg: 'true',
    });
    expect(names.map((name) => line[`${name}_`])).toEqual(names.map(() => 'forged'));
    expect(lines[0]?.match(/"msg":/g)).toHaveLength(1);
  });

  test('keeps its message when the fields are beyond all bounds', () => {
    configure();
    loggerFor('a').warn({ long: Array.from({ length: 99 }, () => 'x'.repeat(9000)) }, 'still here');
    expect(parsed()).toEqual([expect.objectContaining({ msg: 'still here', logger: 'a' })]);
  });
});

/** User names from outside. */
const MALICIOUS_NAMES: [string, string][] = [
  ['line breaks', 'eve\r\n{"level":"info","msg":"forged"}'],
  ['colours', '\u001b[2J\u001b[31meve'],
  ['C1 controls', '\u009b2Jeve\u0085'],
  ['line separators', 'eve\u2028eve\u2029'],
  ['reversed writing', '\u202eeve\u2066'],
  ['NUL and DEL', '\u0000eve\u007f'],
  ['half a character', 'eve\ud83d'],
  ['formats', '%s %d %o %j'],
  ['templates', '{msg}{level}{if pid}{end}'],
  ['quotes and backslashes', '"\\"\\u000a'],
];

describe.each([
  ['JSON', false],
  ['pretty', true],
])('in %s form a line stays one, of visible characters, with', (_form, pretty) => {
  test.each(MALICIOUS_NAMES)('%s', (_rule, name) => {
    configure({}, pretty);
    withRequest({ id: name }, () =>
      loggerFor(name).error({ user: name, [name]: [name], error: new Error(name) }, name),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}\p{Cs}]/u);
  });

  test('any fields and any message, and never a planted secret', () => {
    configure({}, pretty);
    const secretText = stringMatching(/^[A-Za-z0-9]{24,40}$/);
    const secretName = constantFrom(
      'password',
      'pgtId',
      'X-Vault-Token',
      'Authorization',
      'secretKey',
    );
    const text = anyText();
    assert(
      property(
        text,
        secretText,
        secretName,
        dictionary(text, anything()),
        (around, planted, name, fields) => {
          lines.length = 0;
          const dirty = `${around}TGT-${planted}${around}`;
          const url = `postgresql://u:${planted}@h`;
          const nested = { ...fields, [name]: planted, deep: [{ [name]: { planted }, dirty }] };
          loggerFor('p').info({ ...nested, error: new Error(dirty), url }, `${dirty} ${url}`);
          expect(lines).toHaveLength(1);
          expect(lines[0]).not.toContain(planted.slice(0, -4));
          expect(stripVTControlCharacters(lines[0] ?? '')).not.toMatch(
            /[\p{Cc}\u2028\u2029\p{Bidi_Control}\p{Cs}]/u,
          );
          if (!pretty) {
            expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', logger: 'p' });
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a stack that is text beside the type of an error', () => {
    configure({}, pretty);
    loggerFor('a').info({ type: 'Error', stack: 'Error: x\n    at y' }, 'm');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('\n');
  });
});

describe('levels', () => {
  test('decide for each logger, also for one that existed before', () => {
    const log = loggerFor('early.bird');
    configure({ root: 'error', early: 'debug' });
    log.debug({}, 'heard');
    loggerFor('late').warn({}, 'unheard');
    loggerFor('late').error({}, 'heard');
    expect(parsed()).toEqual([
      expect.objectContaining({ logger: 'early.bird', level: 'debug' }),
      expect.objectContaining({ logger: 'late', level: 'error' }),
    ]);
    expect([
      log.isEnabled('debug'),
      loggerFor('late').isEnabled('warn'),
      loggerFor('late').isEnabled('error'),
    ]).toEqual([true, false, true]);
  });

  test('that are off touch neither fields nor message', () => {
    configure();
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('touched');
        },
        ownKeys: () => {
          throw new Error('touched');
        },
      },
    );
    loggerFor('a').debug(trap, 'unheard');
    expect(lines).toEqual([]);
  });

  test('a logger of a name is made once', () => {
    expect(loggerFor('same')).toBe(loggerFor('same'));
  });
});

test('in pretty form a line reads as one would write it', () => {
  configure({}, true);
  loggerFor('sso.rest').info({ user: 'casuser' }, 'signed in');
  expect(lines[0]).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: \[sso\] sso\.rest: signed in \{"user":"casuser"\}$/,
  );
});
