// Reloads all nodes on one database together: a requested reload is announced, and every other node reloads its own sources.
// Scheduled reloads are not announced.
import type { Announcements } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ANOTHER_NODE, type Reload } from '@tessera/reload';

const log = loggerFor('settings');

const CHANNEL = 'settings_reload';

/** Reloads when another node announces a reload. Call it before `announcements` starts. */
export function reloadOnAnnouncement(
  announcements: Pick<Announcements, 'listen'>,
  reload: Reload,
): void {
  announcements.listen(CHANNEL, (event) => {
    // At the first connection the settings are new. Our own announcement comes after all our processes have reloaded.
    if (event === 'announcement' || event === 'later connection') void reload(ANOTHER_NODE);
  });
}

/** Adds an announcement to a successful reload. A failed announcement is logged and does not fail the reload. */
export function announceReloads(announcements: Announcements, reload: Reload): Reload {
  return async (cause) => {
    const outcome = await reload(cause);
    // Announced without local changes too: this node may have reloaded them on schedule, and others not yet.
    if (!('problems' in outcome)) {
      await announcements.announce(CHANNEL).catch((error: unknown) => {
        log.warn({ cause, error }, 'the reload could not be announced to the other nodes');
      });
    }
    return outcome;
  };
}
