import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { ExpiryWatch, type Expiring } from './expiry-watch.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-01T12:00:00Z');

let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  configureLogging({ application: 'test', levels: {}, write });
});

afterEach(() => {
  jest.useRealTimers();
});

const at = (time: number) => new Date(NOW + time);

function expiring(kind: Expiring['kind'], time: number, more: Partial<Expiring> = {}): Expiring {
  const names = { label: 'Root', name: 'CN=Root,O=Example' };
  return { kind, ...names, path: '/etc/file', expires: at(time), ...more };
}

/** @param current returns what to watch */
function watchOf(current: () => readonly Expiring[]): ExpiryWatch {
  const watch = new ExpiryWatch();
  watch.add(current);
  return watch;
}

/** The messages of one check. */
function warningsAt(watch: ExpiryWatch, time = 0): unknown[] {
  lines = [];
  watch.warn(at(time));
  return lines.map(({ msg }) => msg);
}

describe('a look warns', () => {
  test.each<[string, Expiring, string[]]>([
    ['of nothing more than three days ahead', expiring('ca', 3 * DAY + 1), []],
    [
      'of an authority, three days ahead',
      expiring('ca', 3 * DAY),
      ['a CA certificate expires soon'],
    ],
    ['of a server, three days ahead', expiring('tls', 3 * DAY), ['a TLS certificate expires soon']],
    [
      'of a list, as early as it says',
      expiring('crl', 9 * DAY, { warnBefore: 9 * DAY }),
      ['a revocation list expires soon'],
    ],
    ['of no list earlier than it says', expiring('crl', HOUR + 1, { warnBefore: HOUR }), []],
    [
      'of what expires now as expiring',
      expiring('crl', 0, { warnBefore: 0 }),
      ['a revocation list expires soon'],
    ],
    [
      'of an expired list, however late it says',
      expiring('crl', -1, { warnBefore: 0 }),
      ['a revocation list has expired'],
    ],
    ['of an expired authority', expiring('ca', -DAY), ['a CA certificate has expired']],
    ['of an expired server', expiring('tls', -DAY), ['a TLS certificate has expired']],
  ])('%s', (_rule, what, messages) => {
    expect(warningsAt(watchOf(() => [what]))).toEqual(messages);
  });

  test('with issuer, file and time of a list, and with subject, file and time of a certificate', () => {
    watchOf(() => [expiring('crl', 0), expiring('ca', 0)]).warn(at(0));
    const facts = { level: 'warn', path: '/etc/file', expires: at(0).toISOString() };
    expect(lines).toEqual([
      expect.objectContaining({ ...facts, issuer: 'CN=Root,O=Example' }),
      expect.objectContaining({ ...facts, subject: 'CN=Root,O=Example' }),
    ]);
  });
});

describe('a warning comes', () => {
  test('once a day', () => {
    const watch = watchOf(() => [expiring('ca', -DAY)]);
    const times = [0, SECOND, DAY - 1, DAY, DAY + 1, 2 * DAY - 1, 2 * DAY];
    expect(times.map((time) => warningsAt(watch, time).length)).toEqual([1, 0, 0, 1, 0, 0, 1]);
  });

  test('once for a duplicate', () => {
    const list = expiring('crl', -DAY);
    expect(warningsAt(watchOf(() => [list, list]))).toHaveLength(1);
  });

  test('at once when what expired soon has expired', () => {
    const watch = watchOf(() => [expiring('ca', HOUR)]);
    expect(warningsAt(watch, 0)).toEqual(['a CA certificate expires soon']);
    expect(warningsAt(watch, HOUR)).toEqual([]);
    expect(warningsAt(watch, HOUR + 1)).toEqual(['a CA certificate has expired']);
  });

  test('at once for a replacement, and for a new source', () => {
    let current = [expiring('crl', -DAY)];
    const watch = watchOf(() => current);
    expect(warningsAt(watch)).toHaveLength(1);
    current = [expiring('crl', HOUR)];
    expect(warningsAt(watch)).toEqual(['a revocation list expires soon']);
    watch.add(() => [expiring('tls', HOUR)]);
    expect(warningsAt(watch)).toEqual(['a TLS certificate expires soon']);
    current = [expiring('crl', 9 * DAY)];
    expect(warningsAt(watch)).toEqual([]);
  });

  test('from the start of the application to its end', () => {
    jest.useFakeTimers({ now: NOW });
    const watch = watchOf(() => [expiring('ca', -DAY)]);
    expect(lines).toHaveLength(0);
    watch.onApplicationBootstrap();
    expect(lines).toHaveLength(1);
    jest.advanceTimersByTime(DAY);
    expect(lines).toHaveLength(2);
    watch.onApplicationShutdown();
    jest.advanceTimersByTime(DAY);
    expect(lines).toHaveLength(2);
  });
});

describe('the seconds that are left', () => {
  const left = (...all: Expiring[]) => watchOf(() => all).secondsLeft(at(0));

  test('are whole, and negative when past', () => {
    const all = [
      expiring('crl', 1_999),
      expiring('ca', -1),
      expiring('tls', -1_001, { label: 'sso.example.org' }),
    ];
    expect(left(...all)).toEqual({ 'crl Root': 1, 'ca Root': -1, 'tls sso.example.org': -2 });
  });

  test('are those of the first to expire, where several have one name', () => {
    const all = [expiring('crl', DAY), expiring('crl', HOUR), expiring('crl', 2 * DAY)];
    expect(left(...all)).toEqual({ 'crl Root': 3_600 });
  });

  test('have names of 64 characters at most, none of them cut in two', () => {
    const names = Object.keys(left(expiring('ca', 0, { label: '\u{1f511}'.repeat(65) })));
    expect(names).toEqual([`ca ${'\u{1f511}'.repeat(64)}`]);
  });

  test('are none where nothing is watched', () => {
    expect(new ExpiryWatch().secondsLeft(at(0))).toEqual({});
  });
});
