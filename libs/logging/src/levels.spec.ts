import { expect, test } from '@jest/globals';
import { levelFor, type LogLevel } from './levels.js';

const levels: Record<string, LogLevel> = {
  root: 'warn',
  sso: 'info',
  'sso.rest': 'debug',
  'a.b.c': 'error',
};

test.each<[string, string, Record<string, LogLevel>, LogLevel]>([
  ['its own', 'sso.rest', levels, 'debug'],
  ['its longest prefix', 'sso.rest.tickets', levels, 'debug'],
  ['a shorter prefix', 'sso.validation', levels, 'info'],
  ['root, where only part of a segment agrees', 'ssology', levels, 'warn'],
  ['root, where it is the prefix of another', 'a.b', levels, 'warn'],
  ['info, where nothing is set', 'sso', {}, 'info'],
  ['info, for names that objects have by nature', 'constructor', {}, 'info'],
])('the level of a logger is %s', (_rule, name, given, level) => {
  expect(levelFor(name, given)).toBe(level);
});
