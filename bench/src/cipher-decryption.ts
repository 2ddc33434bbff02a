// How long /decrypt takes to refuse what it cannot decrypt: whether the time tells what was wrong.
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
} from './cipher-faults.js';
import { Client } from './client.js';
import { overlap, quantile } from './overlap.js';
import { startConfigServer } from './processes.js';
import type { Print, Workbench } from './workbench.js';

const PORT = 18_086;
const SAMPLES = 1_000;
/** Of each fault, before anything counts. */
const WARM_UP = 200;
const PASSWORD = 'a password for the benchmark';
/** Further from 0.5 than this, two faults are reported. */
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

/** A key of each kind, on one ring. */
async function keysIn(directory: string): Promise<{ families: Family[]; settings: string[] }> {
  const [envelope, rsa] = [join(directory, 'envelope.key'), join(directory, 'rsa.pem')];
  const [pair, another] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
  if (pair === undefined || another === undefined) throw new Error('there are two');
  const mode = 0o600;
  await writeFile(envelope, newKeyFile(), { mode });
  await writeFile(rsa, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode });
  const file = await readKeyFile(envelope);
  if (file.kind !== 'envelope') throw new Error('the key is none of an envelope');
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

/** Microseconds of each fault, in its order; all faults in a new random order each round. */
async function sample({ faults }: Family, client: Client): Promise<number[][]> {
  const times: number[][] = faults.map(() => []);
  for (let round = 0; round < WARM_UP + SAMPLES; round += 1) {
    const order = faults.map((fault, index) => ({ fault, index, place: Math.random() }));
    for (const { fault, index } of order.toSorted((one, other) => one.place - other.place)) {
      const time = await refusal(client, fault.make);
      if (round >= WARM_UP) times[index]?.push(time);
    }
  }
  return times;
}

/** Nothing authenticates CBC: one in 256 texts is read, as other bytes. Those do not count. */
async function refusal(client: Client, make: () => Promise<string>): Promise<number> {
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

function report({ name, faults }: Family, times: readonly number[][], print: Print): void {
  print(`\n### ${name}\n\n| what is wrong | median µs | p10 | p90 |\n|---|---|---|---|`);
  for (const [index, fault] of faults.entries()) {
    const cells = [0.5, 0.1, 0.9].map((share) => quantile(times[index] ?? [], share).toFixed(0));
    print(`| ${fault.name} | ${cells.join(' | ')} |`);
  }
  const pairs = faults.flatMap((one, first) =>
    faults.slice(first + 1).map((other, gap) => ({
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
