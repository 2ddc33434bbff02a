import { expect, test } from '@jest/globals';
import { foreignUrlOf } from './foreign-host.js';

test.each([
  ['https://[^/]+\\.wild\\.test/.*', 'https://evil.example?x.wild.test/x'],
  ['^https?://.+\\.wild\\.test(/.*)?$', 'https://evil.example?x.wild.test/x'],
  ['^https://app\\.wild\\.test.*', 'https://app.wild.testx.evil.example/'],
  ['^(https|imaps)://app\\.wild\\.test.*', 'https://app.wild.testx.evil.example/'],
])('%s also matches %s', (pattern, url) => expect(foreignUrlOf(pattern)).toBe(url));

test.each([
  '^https://app\\.wild\\.test/.*',
  '^https://app\\.wild\\.test(:\\d+)?(/.*)?$',
  '^https://([a-z0-9-]+\\.)*wild\\.test/.*',
  'https://app.wild.test/.*',
  '^https://.*',
  '.*',
  '^(https|imaps)://.*',
  'urn:app',
])('%s matches its own host alone, or is meant for every host', (pattern) =>
  expect(foreignUrlOf(pattern)).toBeUndefined(),
);
