import { afterAll, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { SettingsWarnings } from './settings-warnings.js';

const lines: string[] = [];
const write = (line: string): unknown => lines.push((JSON.parse(line) as { msg: string }).msg);

afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

test('what is doubtful is told at the start, and after a reload where it is new', () => {
  configureLogging({ application: 'test', levels: {}, write });
  const warnings = new SettingsWarnings('test');
  const idle = 'settings of another server do nothing here';
  const told = (idleKeys: string[], ...others: string[]): string[] => {
    lines.length = 0;
    warnings.tell({ idleKeys, warnings: others });
    return [...lines];
  };
  expect(told([])).toEqual([]);
  expect(told(['a'], 'b', 'c')).toEqual([idle, 'b', 'c']);
  expect(told(['a'], 'b', 'c')).toEqual([]);
  expect(told(['a'], 'c', 'd')).toEqual(['d']);
  expect(told(['a', 'e'], 'd')).toEqual([idle]);
  expect(told([])).toEqual([]);
  expect(told(['a'], 'd')).toEqual([idle, 'd']);
});
