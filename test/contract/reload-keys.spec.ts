import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { liveKeys } from '@tessera/config';
import { ConfigServerSettings } from '../../apps/config-server/src/settings.js';
import { SsoSettings } from '../../apps/sso/src/settings.js';

const PAGE = join(import.meta.dirname, '../../docs/reload.md');

test.each([
  ['the SSO application', 'In the SSO application:', SsoSettings],
  ['the config server', 'In the config server:', ConfigServerSettings],
] as const)('the page on reloading lists what counts at once in %s', async (_, title, settings) => {
  const page = await readFile(PAGE, 'utf8');
  const [table = ''] = page
    .slice(page.indexOf(title) + title.length)
    .trim()
    .split('\n\n');
  const cells = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`([^`]+)`/g),
  ]);
  const listed = cells.map(([, key = '']) => key);
  const live = liveKeys(settings);
  expect(live.filter((key) => !listed.some((each) => covers(each, key)))).toEqual([]);
  expect(listed.filter((each) => !live.some((key) => covers(each, key)))).toEqual([]);
});

/** `sso.proxies.*` covers all keys below, and a family of that name. */
function covers(listed: string, key: string): boolean {
  return listed.endsWith('*') ? `${key}.`.startsWith(listed.slice(0, -1)) : key === listed;
}
