// Patterns as published service files have them match what java.util.regex matches, whose verdicts are in a table.
// `UPDATE_PATTERNS=1 npm test -- <this file>` asks Java again.
import { expect, test } from '@jest/globals';
import { readTable, updateTable, verdictsOf } from '../../test/java-table.js';

const TABLE = 'java-patterns.json';

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

test('match the URLs that java.util.regex matches', async () => {
  if (process.env['UPDATE_PATTERNS'] === '1') {
    await updateTable(TABLE, Object.keys(await readTable(TABLE)), URLS);
  }
  const table = await readTable(TABLE);
  const ours = Object.keys(table).map((pattern) => [pattern, verdictsOf(pattern, URLS)]);
  expect(Object.fromEntries(ours)).toEqual(table);
});
