// docs/metrics.md, the alert rules and the dashboard name the metrics that the code has.
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { Metrics } from '@tessera/metrics';
import { EventChannel } from '@tessera/runtime';
import { ConfigServerMetrics } from '../apps/config-server/src/metrics/config-server-metrics.js';
import { recordNode, RequestMetrics } from '../apps/sso/src/metrics/sso-metrics.js';

const ROW = /^\| `((?:tessera|process|nodejs)_\w+)` *\| (\w+) *\| ([^|]*)\|/gm;

let sso: Metrics;
let configServer: Metrics;

beforeEach(() => {
  sso = new Metrics();
  recordNode(sso);
  expect(new RequestMetrics(sso, () => undefined).http.server).toBeUndefined();
  configServer = new ConfigServerMetrics().metrics;
});
afterEach(() => {
  sso.close();
  configServer.close();
});

test('docs/metrics.md lists every metric with its type and its labels', async () => {
  const page = await readFile('docs/metrics.md', 'utf8');
  const documented = Array.from(page.matchAll(ROW), ([, name, type, labels = '']) => ({
    name,
    type,
    labels: Array.from(labels.matchAll(/`(\w+)`/g), ([, label]) => label),
  }));
  expect(documented.toSorted(byName)).toEqual(declared());
});

test.each(['deploy/prometheus/tessera-rules.yml', 'deploy/grafana/tessera.json'])(
  '%s names no other metric',
  async (path) => {
    const text = await readFile(path, 'utf8');
    const known = declared().map(({ name }) => name);
    const named = Array.from(text.matchAll(/(?:tessera|process|nodejs)_\w+/g), ([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  },
);

test('every alert is in docs/metrics.md', async () => {
  const rules = await readFile('deploy/prometheus/tessera-rules.yml', 'utf8');
  const page = await readFile('docs/metrics.md', 'utf8');
  const alerts = Array.from(rules.matchAll(/- alert: (\w+)/g), ([, name]) => name);
  expect(alerts).toEqual(Array.from(page.matchAll(/^\| `(Tessera\w+)`/gm), ([, name]) => name));
});

test('the queue of password hashes is counted', async () => {
  const hashing = new PasswordHashing({ memory: 8, iterations: 1, maxRunning: 1, maxWaiting: 1 });
  const counts = /^tessera_password_hashes_(?:waiting|running|refused)/;
  const hashes = [hashing.hash('a'), hashing.hash('b')];
  await expect(hashing.hash('c')).rejects.toThrow('too many passwords');
  expect(await valuesOf(sso, counts)).toEqual([1, 1, 1]);
  await Promise.all(hashes);
  expect(await valuesOf(sso, counts)).toEqual([0, 0, 1]);
  expect(await valuesOf(sso, /^tessera_password_hash_wait_seconds_count/)).toEqual([2]);
});

test('the shortest lease of Vault counts, and one that is closed does not', async () => {
  // The channel of @tessera/vault, which has no other way in.
  const leases = new EventChannel('tessera:vault-leases');
  const [long, short] = [{}, {}];
  const lease = /^tessera_vault_lease_seconds/;
  expect(await valuesOf(sso, lease)).toEqual([]);
  leases.publish({ holder: long, type: 'logged-in', timeLeft: 3_600_000 });
  leases.publish({ holder: short, type: 'renewed', timeLeft: 60_000 });
  expect((await valuesOf(sso, lease))[0]).toBeCloseTo(60, 0);
  leases.publish({ holder: short, type: 'closed', timeLeft: 60_000 });
  expect((await valuesOf(sso, lease))[0]).toBeCloseTo(3_600, 0);
  expect(await valuesOf(sso, /^tessera_vault_renewals_total/)).toEqual([1, 1]);
});

/** The values of the series whose line matches. */
async function valuesOf(metrics: Metrics, name: RegExp): Promise<readonly number[]> {
  const lines = (await metrics.text()).split('\n').filter((line) => name.test(line));
  return lines.map((line) => Number(line.split(' ').at(-1)));
}

/** Of both applications, each once. */
function declared() {
  const all = [...sso.descriptions, ...configServer.descriptions];
  const byKey = new Map(all.map((each) => [each.name, each]));
  return [...byKey.values()].toSorted(byName);
}

function byName(one: { name?: string | undefined }, other: { name?: string | undefined }): number {
  return (one.name ?? '').localeCompare(other.name ?? '');
}
