// Owns that several processes have the same settings: all go over to new ones, or none does.
import { randomBytes } from 'node:crypto';
import type { ReloadOutcome } from '../reload-outcome.js';
import type { Participant, Ready, Vote } from './participant.js';

/** Files that are written in between are read by one process as they were, and by another as they are. */
const MOST_ATTEMPTS = 3;
const KEY_BYTES = 32;
const UNEQUAL =
  'the processes read unequal settings each time: they change all the while, or are not the same for all';

/** One reload, all processes of it side by side. */
export async function coordinatedReload(
  participants: readonly Participant[],
): Promise<ReloadOutcome> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const key = randomBytes(KEY_BYTES).toString('base64');
    const votes = await Promise.all(participants.map((each) => each.stage(key)));
    const ready = votes.filter(isReady);
    const areAllReady = ready.length === votes.length;
    if (areAllReady && new Set(ready.map(({ digest }) => digest)).size === 1) {
      await Promise.all(participants.map((each) => each.commit()));
      const changed = together(ready.map((each) => each.changed));
      const files = together(ready.map((each) => each.files ?? []));
      const restart = together(ready.map((each) => each.restart));
      return { changed, restart, ...(files.length > 0 && { files }) };
    }
    for (const each of participants) each.discard();
    if (!areAllReady) return { problems: problemsIn(votes) };
  }
  return { problems: [UNEQUAL] };
}

function isReady(vote: Vote): vote is Ready {
  return 'digest' in vote;
}

/** What several say is told once. */
function problemsIn(votes: readonly Vote[]): string[] {
  return [...new Set(votes.flatMap((vote) => (isReady(vote) ? [] : vote.problems)))];
}

function together(names: readonly (readonly string[])[]): string[] {
  return [...new Set(names.flat())].toSorted();
}
