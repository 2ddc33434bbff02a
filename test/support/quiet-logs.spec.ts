import { readlinkSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('the log lines of an application inside a spec are shown where TEST_LOGS is set alone', () => {
  const place = readlinkSync(`/proc/self/fd/${process.stdout.fd}`);
  expect(place === '/dev/null').toBe(process.env['TEST_LOGS'] === undefined);
});
