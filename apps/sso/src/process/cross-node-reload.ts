// The nodes on one database reload together: a reload that a caller requests of one node is requested of all.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Announcements } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ANOTHER_NODE, type Reload } from '@tessera/config';
import { PROCESS_PARTS, type ProcessParts } from '@tessera/server';

const log = loggerFor('settings');

const CHANNEL = 'settings_reload';

@Injectable()
export class CrossNodeReload implements OnModuleInit {
  constructor(
    @Inject(Announcements)
    private readonly announcements: Pick<Announcements, 'listen' | 'announce'>,
    @Inject(PROCESS_PARTS) private readonly parts: Pick<ProcessParts, 'reload'>,
  ) {}

  /** Reloads this node when another node has reloaded, and announces nothing. */
  onModuleInit(): void {
    this.announcements.listen(CHANNEL, (event) => {
      // A first connection needs no reload: the settings were just loaded. Our own processes reload together.
      if (event === 'announcement' || event === 'later connection') {
        void this.parts.reload(ANOTHER_NODE);
      }
    });
  }

  /** Reloads this node, and has the other nodes reload unless this one refuses. Does not fail when the database is unavailable. */
  readonly reload: Reload = async (reason) => {
    const outcome = await this.parts.reload(reason);
    // Announced also when nothing changed here: this node may have reloaded by itself a moment ago.
    if (!('problems' in outcome)) {
      await this.announcements.announce(CHANNEL).catch((error: unknown) => {
        log.warn({ cause: reason, error }, 'the reload could not be announced to the other nodes');
      });
    }
    return outcome;
  };
}
