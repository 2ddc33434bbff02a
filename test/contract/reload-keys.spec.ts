import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeSettings } from '@tessera/config';
import { ConfigServerSettings } from '../../apps/config-server/src/settings.js';
import { SsoSettings } from '../../apps/sso/src/settings.js';

const PAGE = join(import.meta.dirname, '../../docs/reload.md');
const TITLE = '## What needs a restart';

test('the page on reloading lists the settings that need a restart', async () => {
  const page = await readFile(PAGE, 'utf8');
  const [, section = ''] = page.split(TITLE);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const listed = Array.from(table.matchAll(/`([^`]+)`/g), ([, key = '']) => key);
  const settings = [SsoSettings, ConfigServerSettings].flatMap((each) => describeSettings(each));
  const restart = settings.flatMap(({ key, isLive }) => (isLive ? [] : [key]));
  expect(restart.filter((key) => !listed.some((each) => covers(each, key)))).toEqual([]);
  expect(listed.filter((each) => !restart.some((key) => covers(each, key)))).toEqual([]);
});

/** `sso.tls.*` covers all keys below. */
function covers(listed: string, key: string): boolean {
  return listed.endsWith('*') ? key.startsWith(listed.slice(0, -1)) : key === listed;
}
