// `npm version` cuts the changelog and sets the version of the chart, in its commit.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from './support/folders.js';

const ROOT = join(import.meta.dirname, '..');
const CHART = 'deploy/helm/tessera/Chart.yaml';
const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
  await mkdir(join(folder, 'deploy/helm/tessera'), { recursive: true });
  await cp(join(ROOT, CHART), join(folder, CHART));
  await write('package.json', '{ "version": "1.2.3" }');
});
afterEach(() => removeFolder(folder));

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const release = () => run(process.execPath, [join(ROOT, 'tools/release.ts')], { cwd: folder });

test('what was unreleased gets version and day, and the chart the version', async () => {
  await write(
    'CHANGELOG.md',
    '# Changelog\n\n## [Unreleased]\n\n- One\n\n## [1.2.2] - 2026-01-01\n\n- Two\n',
  );
  const before = new Date();
  await release();
  const [changelog, chart] = await Promise.all([read('CHANGELOG.md'), read(CHART)]);
  const days = [before, new Date()].map((day) => day.toISOString().slice(0, 10));
  expect(
    days.map(
      (day) =>
        `# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - ${day}\n\n- One\n\n## [1.2.2] - 2026-01-01\n\n- Two\n`,
    ),
  ).toContain(changelog);
  expect(chart).toContain('\nversion: 1.2.3\nappVersion: 1.2.3\n');
});

test.each([
  ['without an unreleased change', '## [Unreleased]\n\n## [1.2.2] - 2026-01-01\n\n- Two\n'],
  ['without the section', '## [1.2.2] - 2026-01-01\n\n- Two\n'],
])('refuses a changelog %s, and changes nothing', async (_, changelog) => {
  await write('CHANGELOG.md', changelog);
  const chart = await read(CHART);
  await expect(release()).rejects.toThrow('CHANGELOG.md');
  expect(await Promise.all([read('CHANGELOG.md'), read(CHART)])).toEqual([changelog, chart]);
});

test('the chart has the version of the program', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(await readFile(join(ROOT, CHART), 'utf8')).toContain(
    `\nversion: ${version}\nappVersion: ${version}\n`,
  );
});
