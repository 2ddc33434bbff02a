// Repeats a digest as the older derivations ask for it, which Node offers no asynchronous form of.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** About two milliseconds of work, after which others have their turn. */
const ROUNDS_A_TURN = 2000;

/** `next` of `first`, of the result, and so on: `rounds` times. */
export async function iterateDigest(
  first: Buffer,
  rounds: number,
  next: (digest: Buffer) => Buffer,
): Promise<Buffer> {
  let digest = first;
  for (let round = 1; round <= rounds; round += 1) {
    digest = next(digest);
    if (round % ROUNDS_A_TURN === 0) {
      await nextTurn();
    }
  }
  return digest;
}
