// One run: load and faults at the same time, then the judgement of the record.
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { admit } from './admit.js';
import { Applications } from './applications.js';
import type { Fault } from './faults.js';
import { Load } from './load.js';
import { Recorder, type ChaosRecord } from './record.js';
import { missingMessages } from './rules.js';
import { scheduleOf } from './schedule.js';
import type { ChaosTarget, LoadTarget } from './target.js';

/** Failed logout messages are sent again after 10 s, 20 s, 40 s. */
const DRAIN_MS = 90_000;
const DRAIN_POLL_MS = 1_000;
/** Between the last fault and the end of the load. */
const CALM_MS = 5_000;

export interface RunOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly sessionLifetime: number;
  /** Possible ones. */
  readonly faults: readonly Fault[];
  readonly log: (line: string) => void;
}

/** @param target without members there are no faults */
export async function run(
  target: LoadTarget | ChaosTarget,
  options: RunOptions,
): Promise<ChaosRecord> {
  const { seed, sessionLifetime, log } = options;
  const recorder = new Recorder(sessionLifetime);
  const applications = await Applications.start(target.ownHost, recorder);
  try {
    await admit(target, applications.url);
    const load = new Load({ seed, target, recorder, applications });
    const end = performance.now() + options.minutes * 60_000;
    try {
      if ('members' in target) await inflictAll(target, options, { recorder, end });
      await sleep(Math.max(0, end - performance.now()));
    } finally {
      await load.stop();
    }
    const stopped = performance.now();
    log('waiting for the last logout messages');
    const record = recorder.until(stopped);
    for (let polls = DRAIN_MS / DRAIN_POLL_MS; polls > 0; polls -= 1) {
      if (missingMessages(record).length === 0) break;
      await sleep(DRAIN_POLL_MS);
    }
    return record;
  } finally {
    await applications.stop();
  }
}

interface Period {
  readonly recorder: Recorder;
  readonly end: number;
}

async function inflictAll(
  target: ChaosTarget,
  { seed, faults, log }: RunOptions,
  { recorder, end }: Period,
): Promise<void> {
  const names = faults.map(({ name }) => name);
  for (const { name, calm, lasts, random } of scheduleOf(seed, names)) {
    const fault = faults.find((each) => each.name === name)!;
    const { recovery, isPlanned = false, isOfStandby = false, losesRecords = false } = fault;
    if (performance.now() + calm + lasts + recovery + CALM_MS > end) return;
    await sleep(calm);
    const from = performance.now();
    const heal = await fault.inflict(target, random);
    if (!isPlanned) await sleep(lasts);
    await heal();
    const healed = performance.now();
    log(`${name}: ${((healed - from) / 1_000).toFixed(1)} s`);
    const flags = { isPlanned, isOfStandby, losesRecords };
    recorder.faults.push({ name, from, healed, recovery, ...flags });
    await sleep(recovery);
  }
}

/** One operation a line. */
export async function writeRecord(path: string, record: ChaosRecord): Promise<void> {
  const lines = [...record.faults, ...record.messages, ...record.operations];
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
}
