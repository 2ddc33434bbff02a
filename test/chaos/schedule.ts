// Which fault comes when, from a seed.
import { Random } from './random.js';

export interface Planned {
  readonly name: string;
  /** Time without a fault before it, in ms. */
  readonly calm: number;
  /** From the fault to its healing, in ms. */
  readonly lasts: number;
  /** For the choices of the fault itself. */
  readonly random: Random;
}

/** Every fault once in each round, in an order of its own. Endless. */
export function* scheduleOf(seed: number, names: readonly string[]): Generator<Planned> {
  const random = Random.named(seed, 'schedule');
  for (let round = 0; names.length > 0; round += 1) {
    for (const name of random.shuffled(names)) {
      const own = Random.named(seed, `${name} ${round}`);
      yield {
        name,
        calm: own.between(3_000, 6_000),
        lasts: own.between(3_000, 8_000),
        random: own,
      };
    }
  }
}
