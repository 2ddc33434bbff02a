// Called by `npm version`, with the new version in package.json: cuts the changelog, and sets the version of the chart.
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
const CHART = 'deploy/helm/tessera/Chart.yaml';
const UNRELEASED = '## [Unreleased]\n';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const day = new Date().toISOString().slice(0, 10);

const changelog = cut(readFileSync(CHANGELOG, 'utf8'));
const chart = readFileSync(CHART, 'utf8').replaceAll(
  /^(version|appVersion): .*$/gm,
  `$1: ${version}`,
);
writeFileSync(CHANGELOG, changelog);
writeFileSync(CHART, chart);

/** Gives the unreleased changes the version, below a new empty section. */
function cut(text: string): string {
  const [before, after, ...more] = text.split(UNRELEASED);
  if (after === undefined || more.length > 0) throw new Error(`${CHANGELOG} has no "Unreleased"`);
  const [changes = ''] = after.split(/^## /m);
  if (changes.trim() === '') throw new Error(`${CHANGELOG}: nothing is unreleased`);
  return `${before}${UNRELEASED}\n## [${version}] - ${day}\n${after}`;
}
