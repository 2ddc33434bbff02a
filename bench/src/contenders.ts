// Servers that are compared in one run, in turn.
import type { Server } from './processes.js';

export interface RoundOptions {
  readonly rounds: number;
  /** Of a round of one contender. */
  readonly milliseconds: number;
  /** Of each contender, before the first round. */
  readonly warmUp: number;
}

const DEFAULT_ROUNDS: RoundOptions = { rounds: 5, milliseconds: 3_000, warmUp: 5_000 };

export interface Contender {
  readonly name: string;
  readonly server: Server;
}

/** Warms each contender up, then measures them alternately: in every second round, the last one first. The results by name. */
export async function inTurn<R>(
  contenders: readonly Contender[],
  work: (contender: Contender, milliseconds: number) => Promise<R>,
  { rounds, milliseconds, warmUp }: RoundOptions = DEFAULT_ROUNDS,
): Promise<ReadonlyMap<string, readonly R[]>> {
  const results = new Map<string, R[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await work(contender, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      results.get(contender.name)?.push(await work(contender, milliseconds));
    }
  }
  return results;
}

/** Starts one after the other; when one fails, stops those before it. */
export async function startAll(
  starts: Readonly<Record<string, () => Promise<Server>>>,
): Promise<readonly Contender[]> {
  const contenders: Contender[] = [];
  try {
    for (const [name, start] of Object.entries(starts)) {
      contenders.push({ name, server: await start() });
    }
  } catch (error) {
    await stopAll(contenders);
    throw error;
  }
  return contenders;
}

export async function stopAll(contenders: readonly Contender[]): Promise<void> {
  await Promise.all(contenders.map(({ server }) => server.stop()));
}
