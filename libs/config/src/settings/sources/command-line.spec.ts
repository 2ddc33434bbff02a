import { describe, expect, test } from '@jest/globals';
import { SettingKeys } from '../setting-keys.js';
import { CoreSettings } from '../core-settings.js';
import { integer, text } from '../parsers/scalars.js';
import { Setting } from '../setting.js';
import { readCommandLine } from './command-line.js';

class Settings extends CoreSettings {
  @Setting('sso.base-url', text) baseUrl = '';
  @Setting('sso.port', integer) port = 0;
}

const read = (...argv: string[]) => {
  const { values, violations } = readCommandLine(argv, new SettingKeys(Settings));
  return {
    values: Object.fromEntries([...values].map(([key, raw]) => [key, raw.content])),
    violations,
  };
};

describe('the command line gives', () => {
  test.each<[string, string[], Record<string, string | null>]>([
    ['--key=value', ['--sso.base-url=http://x?a=b'], { 'sso.base-url': 'http://x?a=b' }],
    [
      '--key value',
      ['--sso.base-url', 'x', '--sso.port', '1'],
      { 'sso.base-url': 'x', 'sso.port': '1' },
    ],
    ['a negative number as the value', ['--sso.port', '-1'], { 'sso.port': '-1' }],
    ['an empty value', ['--sso.base-url='], { 'sso.base-url': '' }],
    ['the last of two values', ['--sso.port=1', '--sso.port=2'], { 'sso.port': '2' }],
    ['null for a key at the end', ['--sso.port'], { 'sso.port': null }],
    [
      'null for a key before another',
      ['--sso.port', '--sso.base-url=x'],
      { 'sso.port': null, 'sso.base-url': 'x' },
    ],
    ['a line break within a value', ['--sso.base-url=a\nb'], { 'sso.base-url': 'a\nb' }],
    [
      'the level of a logger with dots',
      ['--logging.level.a.b=debug'],
      { 'logging.level.a.b': 'debug' },
    ],
    [
      'nothing for the key of another application',
      ['--config-server.port=1', '--vault.uri', 'x'],
      {},
    ],
    ['nothing for no arguments', [], {}],
  ])('%s', (_rule, argv, values) => {
    expect(read(...argv)).toEqual({ values, violations: [] });
  });
});

describe('the command line is refused for', () => {
  test.each([
    ['a key of no application', ['--port=1'], 'port', 'is not a known setting'],
    [
      'a prefix with a slip',
      ['--ssso.port=1'],
      'ssso.port',
      'is not a known setting; did you mean sso.port?',
    ],
    [
      'an unknown key',
      ['--sso.prot', '1'],
      'sso.prot',
      'is not a known setting; did you mean sso.port?',
    ],
    ['a group', ['--sso=1'], 'sso', 'is a group of settings and takes no value itself'],
    [
      'a family without a member',
      ['--logging.level=debug'],
      'logging.level',
      'is a group of settings and takes no value itself',
    ],
    [
      'a stray word',
      ['--sso.base-url', 'my', 'geheim'],
      'argument 3',
      'is not of the form --key=value',
    ],
    ['a single hyphen', ['-p=geheim'], 'argument 1', 'is not of the form --key=value'],
    ['two hyphens alone', ['--'], 'argument 1', 'is not of the form --key=value'],
    ['a prototype', ['--__proto__.x=1'], '__proto__.x', 'is not a known setting'],
  ])('%s', (_rule, argv, key, message) => {
    const { violations } = read(...argv);
    expect(violations).toEqual([{ key, message, origin: 'command line' }]);
  });
});
