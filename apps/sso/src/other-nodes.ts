// Owns that the nodes on one database reload together: what somebody asks of one, all do, each from its own sources. What a
// node does by itself the others do by themselves.
import type { Announcements } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ANOTHER_NODE, type Reload } from '@tessera/reload';

const log = loggerFor('settings');

const CHANNEL = 'settings_reload';

/** Reloads when another node has, and announces nothing. To be called before announcements are heard. */
export function reloadAfterOthers(
  announcements: Pick<Announcements, 'listen'>,
  reload: Reload,
): void {
  announcements.listen(CHANNEL, (occasion) => {
    // Settings that were read at the start are new; and of our own processes, all have reloaded when one says so.
    if (occasion === 'announcement' || occasion === 'later connection') void reload(ANOTHER_NODE);
  });
}

/** Reloads, and has the others reload unless it is refused. A database that is away is no fault of it. */
export function reloadBeforeOthers(announcements: Announcements, reload: Reload): Reload {
  return async (cause) => {
    const outcome = await reload(cause);
    // Nothing new here may be news elsewhere: this node may have taken it over by itself a moment ago.
    if (!('problems' in outcome)) {
      await announcements.announce(CHANNEL).catch((error: unknown) => {
        log.warn({ cause, error }, 'the other nodes could not be told to reload');
      });
    }
    return outcome;
  };
}
