// Patterns as published service files have them match what java.util.regex matches, whose verdicts are in a table.
// `UPDATE_PATTERNS=1 npm test -- <this file>` asks Java again.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { foldCase, servicePattern } from './service-pattern.js';

const TABLE = fileURLToPath(new URL('../../test/java-patterns.json', import.meta.url));
const JAVA = fileURLToPath(new URL('../../test/JavaPatterns.java', import.meta.url));

const SCHEMES = ['https://', 'http://', 'HTTPS://', 'imaps://'];
const HOSTS = [
  'app.example.org',
  'APP.Example.ORG',
  'appXexample.org',
  'app.example.orgevil',
  'app.example.org.evil.test',
  'app.example.org@evil.test',
  'evil.test/app.example.org',
  'evil.test?app.example.org',
  'www.sub.example.org',
  'example.org',
  'localhost',
  '127.0.0.1',
];
const PORTS = ['', ':8443'];
const PATHS = [
  '',
  '/',
  '/cas/login',
  '/CAS/login?service=https%3A%2F%2Fapp.example.org%2F',
  '/cas/../admin',
  '/caslogin;jsessionid=1',
  '/a.b/index.php?q=a b&r=%2F%3Fnext%3D%2F',
  '/sso/acs?SAMLart=AAQ==&RelayState=+/',
  '?x=1#f',
  '/\u00e9/\ud83d\ude00',
];
const URLS = SCHEMES.flatMap((scheme) =>
  HOSTS.flatMap((host) =>
    PORTS.flatMap((port) => PATHS.map((path) => scheme + host + port + path)),
  ),
);

/** Pattern by pattern, the verdicts on the URLs, four in a hexadecimal digit. */
type Table = Readonly<Record<string, string>>;

function verdictsOf(pattern: string): string {
  const compiled = servicePattern(pattern);
  const verdicts = URLS.map((url) => Number(compiled.matches(url, foldCase(url))));
  const digits = verdicts.join('').match(/.{4}/g) ?? [];
  return digits.map((each) => Number.parseInt(each, 2).toString(16)).join('');
}

async function askJava(patterns: readonly string[]): Promise<Table> {
  const input = [...URLS.map((url) => `U ${url}`), ...patterns.map((each) => `P ${each}`)];
  const asking = promisify(execFile)('java', ['-Dfile.encoding=UTF-8', JAVA]);
  asking.child.stdin?.end(input.join('\n'));
  const verdicts = (await asking).stdout.trim().split('\n');
  return Object.fromEntries(patterns.map((pattern, at) => [pattern, verdicts[at] ?? '']));
}

test('match the URLs that java.util.regex matches', async () => {
  let table = JSON.parse(await readFile(TABLE, 'utf8')) as Table;
  if (process.env['UPDATE_PATTERNS'] === '1') {
    table = await askJava(Object.keys(table));
    await writeFile(TABLE, `${JSON.stringify(table, undefined, 2)}\n`);
  }
  const ours = Object.keys(table).map((pattern) => [pattern, verdictsOf(pattern)]);
  expect(Object.fromEntries(ours)).toEqual(table);
});
