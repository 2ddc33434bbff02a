import { afterAll, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { SettingsWarnings } from './settings-warnings.js';

const lines: string[] = [];
const write = (line: string): unknown => lines.push((JSON.parse(line) as { msg: string }).msg);

afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

test('warnings are logged at the start, and after a reload when they are new', () => {
  configureLogging({ application: 'test', levels: {}, write });
  const warnings = new SettingsWarnings('test');
  const unused = 'settings of another server do nothing here';
  const logged = (unusedKeys: string[], ...others: string[]): string[] => {
    lines.length = 0;
    warnings.log({ unusedKeys, warnings: others });
    return [...lines];
  };
  expect(logged([])).toEqual([]);
  expect(logged(['a'], 'b', 'c')).toEqual([unused, 'b', 'c']);
  expect(logged(['a'], 'b', 'c')).toEqual([]);
  expect(logged(['a'], 'c', 'd')).toEqual(['d']);
  expect(logged(['a', 'e'], 'd')).toEqual([unused]);
  expect(logged([])).toEqual([]);
  expect(logged(['a'], 'd')).toEqual([unused, 'd']);
  // A log line truncates longer lists.
  expect(logged(Array.from({ length: 101 }, String), 'd')).toEqual([unused, unused]);
});
