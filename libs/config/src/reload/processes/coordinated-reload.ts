// A reload of several processes in two phases: either all apply the new settings, or none does.
import { createHmac, randomBytes } from 'node:crypto';
import { loggerFor } from '@tessera/logging';
import {
  type ChangedKeys,
  type CoreSettings,
  type LiveSettings,
  SettingsError,
  type StagedSettings,
} from '../../settings/index.js';
import type { ReloadOutcome } from '../reload-outcome.js';

const log = loggerFor('settings');

/** Files that are written during a reload may be read in two versions by two processes. */
const MAX_ATTEMPTS = 3;
const KEY_BYTES = 32;
const UNEQUAL =
  'the processes read unequal settings each time: they change all the while, or are not the same for all';

/** Whether a process can apply the new settings. */
export type Vote = Ready | { readonly problems: readonly string[] };

export interface Ready extends ChangedKeys {
  /** HMAC-SHA256 of all settings: equal for equal settings and keys only. */
  readonly digest: string;
}

/** A process that takes part. After each `stage` comes one `commit` or `discard`; none of them fails. */
export interface Participant {
  /** Reads and prepares the new settings. @param key of the digest, in base64 */
  stage(key: string): Promise<Vote>;
  /** Applies the prepared settings; resolves when they are applied. */
  commit(): Promise<void>;
  /** Also called after problems. */
  discard(): void;
}

/** One reload of all processes in parallel. */
export async function coordinatedReload(
  participants: readonly Participant[],
): Promise<ReloadOutcome> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const key = randomBytes(KEY_BYTES).toString('base64');
    const votes = await Promise.all(participants.map((each) => each.stage(key)));
    const ready = votes.filter(isReady);
    const areAllReady = ready.length === votes.length;
    if (areAllReady && new Set(ready.map(({ digest }) => digest)).size === 1) {
      await Promise.all(participants.map((each) => each.commit()));
      const changed = union(ready.map((each) => each.changed));
      const files = union(ready.map((each) => each.files ?? []));
      const restart = union(ready.map((each) => each.restart));
      return { changed, restart, ...(files.length > 0 && { files }) };
    }
    for (const each of participants) each.discard();
    if (!areAllReady) return { problems: problemsIn(votes) };
  }
  return { problems: [UNEQUAL] };
}

/** This process as a participant. */
export class LocalParticipant<T extends CoreSettings> implements Participant {
  private staged: StagedSettings | undefined;

  constructor(private readonly live: LiveSettings<T>) {}

  async stage(key: string): Promise<Vote> {
    try {
      this.staged = await this.live.stage();
    } catch (error) {
      if (!(error instanceof SettingsError)) {
        log.error({ error }, 'settings could not be read');
        return { problems: ['settings could not be read: the log says why'] };
      }
      const { cause, lines } = error;
      if (cause !== undefined) log.error({ error: cause }, 'settings could not be used');
      return { problems: lines };
    }
    const { changed, restart, files = [], content } = this.staged;
    const digest = createHmac('sha256', Buffer.from(key, 'base64'))
      .update(content)
      .digest('base64');
    return { changed, restart, ...(files.length > 0 && { files }), digest };
  }

  commit(): Promise<void> {
    const { staged } = this;
    this.staged = undefined;
    try {
      staged?.commit();
    } catch (error) {
      log.error({ error }, 'the new settings were not applied everywhere: restart the process');
    }
    return Promise.resolve();
  }

  discard(): void {
    this.staged?.discard();
    this.staged = undefined;
  }
}

function isReady(vote: Vote): vote is Ready {
  return 'digest' in vote;
}

function problemsIn(votes: readonly Vote[]): string[] {
  return [...new Set(votes.flatMap((vote) => (isReady(vote) ? [] : vote.problems)))];
}

function union(names: readonly (readonly string[])[]): string[] {
  return [...new Set(names.flat())].toSorted();
}
