// The tables of docs/configuration.md: what a setting means is written by hand, all other cells come from the code.
// `npm run docs:settings` writes them.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeSettings, type SettingDescription } from '@tessera/config';
import { CliSettings } from '../apps/cli/src/settings.js';
import { ConfigServerSettings } from '../apps/config-server/src/settings/config-server-settings.js';
import { SsoSettings } from '../apps/sso/src/settings/sso-settings.js';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/configuration.md');

/** A key, with a name below a map: `logging.level.<logger>` is a key of `logging.level`. */
const KEY = /`([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+)(?:\.<[a-z-]+>)?`/g;
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

const sso = new Map(describeSettings(SsoSettings).map((each) => [each.key, each]));
const configServer = new Map(
  describeSettings(ConfigServerSettings).map((each) => [each.key, each]),
);

test('the tables of settings have the types, bounds and defaults of the code', async () => {
  const lines = (await readFile(PAGE, 'utf8')).split('\n');
  const expected = lines.map(withFacts);
  if (process.env['UPDATE_SETTINGS'] === '1') await writeFile(PAGE, expected.join('\n'));
  else expect(lines.map(cellsOf)).toEqual(expected.map(cellsOf));
});

test('the tables have a row for each setting, and no other keys', async () => {
  const rows = (await readFile(PAGE, 'utf8')).split('\n').flatMap(keysOf);
  const programs = [SsoSettings, ConfigServerSettings, CliSettings];
  const declared = programs.flatMap((program) => describeSettings(program).map(({ key }) => key));
  expect([...new Set(rows)].toSorted()).toEqual([...new Set(declared)].toSorted());
});

/** The keys in the first cell of a row, without the names below a map. */
function keysOf(line: string): readonly string[] {
  const [, first = ''] = cellsOf(line);
  return [...first.matchAll(KEY)].map(([, key = '']) => key);
}

/** The line itself if it is no row of a setting. */
function withFacts(line: string): string {
  const [, keyCell = '', , , , meaning = ''] = cellsOf(line);
  const key = /^`([^`]+?)(?:\.<[a-z-]+>)?`$/.exec(keyCell)?.[1] ?? '';
  const [one, other] = [sso.get(key), configServer.get(key)];
  const facts = one ?? other;
  if (facts === undefined || cellsOf(line).length !== 7) return line;
  const both = (cell: (facts: SettingDescription) => string): string => {
    const [first, second] = [cell(facts), cell(other ?? facts)];
    return first === second ? first : `${first}; config server: ${second}`;
  };
  const cells = [keyCell, both(valueCell), both(defaultCell), both(changeCell), meaning];
  return `| ${cells.join(' | ')} |`;
}

/** `['', 'first', …, '']`, without the white space around the cells. */
function cellsOf(line: string): readonly string[] {
  return line.startsWith('|') ? line.split(/(?<!\\)\|/).map((cell) => cell.trim()) : [line];
}

function valueCell({ kind, words, bounds }: SettingDescription): string {
  if (words.length > 0) return OR.format(words.map(code));
  const [min, max] = bounds.range.map(grouped);
  const rules = [
    min && max ? `${min} to ${max}` : '',
    bounds.maxLength === undefined ? '' : `at most ${bounds.maxLength} characters`,
    ...bounds.rules.map((rule) =>
      rule.replace(/^must (not )?be /, '$1').replaceAll('<', String.raw`\<`),
    ),
  ];
  return [kind, ...rules.filter((rule) => rule !== '')].join(', ');
}

function grouped(number: string): string {
  return /^\d+$/.test(number) ? Number(number).toLocaleString('en') : number;
}

function defaultCell({ defaultValue, profileDefaults }: SettingDescription): string {
  // The default of sso.services.import is beside the built files, which are one folder deeper than the sources.
  const shown = (value: string): string =>
    value === '' ? 'none' : code(value.replace(`${dirname(ROOT)}/`, ''));
  const profiles = Object.entries(profileDefaults).map(
    ([profile, value]) => `${code(profile)}: ${shown(value)}`,
  );
  return [shown(defaultValue), ...profiles].join('; ');
}

function code(text: string): string {
  return `\`${text}\``;
}

function changeCell({ isLive }: SettingDescription): string {
  return isLive ? 'live' : 'restart';
}
