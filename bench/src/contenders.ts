// Servers that are compared in one run, in turn.
import type { Server } from './processes.js';

const ROUNDS = 5;
/** In milliseconds. */
const WARM_UP = 5_000;
const ROUND = 3_000;

export interface Contender {
  readonly name: string;
  readonly server: Server;
}

/** Warms each contender up, then measures them alternately. The results by name. */
export async function inTurn<R>(
  contenders: readonly Contender[],
  work: (contender: Contender, milliseconds: number) => Promise<R>,
  roundCount = ROUNDS,
): Promise<ReadonlyMap<string, readonly R[]>> {
  const results = new Map<string, R[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await work(contender, WARM_UP);
  for (let round = 0; round < roundCount; round += 1) {
    for (const contender of contenders) {
      results.get(contender.name)?.push(await work(contender, ROUND));
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
