// Measures how long /decrypt takes to refuse invalid ciphertexts: the time must not reveal the reason.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyFile, readKeyFile } from '@tessera/crypto';
import {
  envelopeFamily,
  hexadecimalFamily,
  rsaFamily,
  SALT,
  type Family,
} from './invalid-ciphertexts.js';
import { Client } from './client.js';
import { overlap, quantile } from './statistics.js';
import { startConfigServer } from './processes.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_086;
const SAMPLES = 1_000;
/** Unmeasured requests of each kind at the start. */
const WARM_UP = 200;
const PASSWORD = 'a password for the benchmark';
/** Two kinds are reported if their overlap is further from 0.5. */
const TOLERANCE = 0.1;

export async function measureDecryption(_workbench: Workbench, print: Print): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tessera-bench-decryption-'));
  try {
    const { families, settings } = await keysIn(directory);
    const server = await startConfigServer(directory, PORT, settings);
    const client = await Client.open(PORT);
    try {
      for (const family of families) report(family, await sample(family, client), print);
    } finally {
      client.close();
      await server.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Creates a key of each kind, for one key ring. */
async function keysIn(directory: string): Promise<{ families: Family[]; settings: string[] }> {
  const [envelope, rsa] = [join(directory, 'envelope.key'), join(directory, 'rsa.pem')];
  const [pair, another] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
  if (pair === undefined || another === undefined) throw new Error('two pairs were generated');
  const mode = 0o600;
  await writeFile(envelope, newKeyFile(), { mode });
  await writeFile(rsa, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode });
  const file = await readKeyFile(envelope);
  if (file.kind !== 'envelope') throw new Error('the key is not an envelope key');
  return {
    families: [
      envelopeFamily(file.key),
      await hexadecimalFamily(PASSWORD),
      rsaFamily(pair.privateKey, another.privateKey),
    ],
    settings: [
      `--encrypt.key-files=${envelope},${rsa}`,
      `--encrypt.key=${PASSWORD}`,
      `--encrypt.salt=${SALT}`,
    ],
  };
}

/** Microseconds by kind of text. Each round has all kinds in a random order. */
async function sample({ texts }: Family, client: Client): Promise<number[][]> {
  const times: number[][] = texts.map(() => []);
  for (let round = 0; round < WARM_UP + SAMPLES; round += 1) {
    const order = texts.map((kind, index) => ({ kind, index, rank: Math.random() }));
    for (const { kind, index } of order.toSorted((one, other) => one.rank - other.rank)) {
      const time = await measureOne(client, kind.make);
      if (round >= WARM_UP) times[index]?.push(time);
    }
  }
  return times;
}

/** CBC is not authenticated: one in 256 texts decrypts to other bytes. Those are not measured. */
async function measureOne(client: Client, make: () => Promise<string>): Promise<number> {
  for (;;) {
    const text = await make();
    const started = performance.now();
    const { status, body } = await client.postText('/decrypt', text);
    const time = (performance.now() - started) * 1_000;
    if (status === 200) continue;
    if (status === 400 && body.includes('"INVALID"')) return time;
    throw new Error(`/decrypt was answered ${status}`);
  }
}

function report({ name, texts }: Family, times: readonly number[][], print: Print): void {
  print(`\n### ${name}\n\n| what is wrong | median µs | p10 | p90 |\n|---|---|---|---|`);
  for (const [index, kind] of texts.entries()) {
    const cells = [0.5, 0.1, 0.9].map((share) => quantile(times[index] ?? [], share).toFixed(0));
    print(`| ${kind.name} | ${cells.join(' | ')} |`);
  }
  const pairs = texts.flatMap((one, first) =>
    texts.slice(first + 1).map((other, gap) => ({
      names: `${one.name} / ${other.name}`,
      value: overlap(times[first] ?? [], times[first + 1 + gap] ?? []),
    })),
  );
  const values = pairs.map(({ value }) => value);
  print(
    `\nOverlap of ${pairs.length} pairs (0.5: nothing tells them apart): ` +
      `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`,
  );
  for (const { names, value } of pairs.filter((pair) => Math.abs(pair.value - 0.5) > TOLERANCE)) {
    print(`- ${names}: ${value.toFixed(2)}`);
  }
}
