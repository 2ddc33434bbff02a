// Owns the part that this process has in a reload.
import { createHmac } from 'node:crypto';
import { loggerFor } from '@tessera/logging';
import {
  type CoreSettings,
  type LiveSettings,
  SettingsError,
  type StagedSettings,
} from '@tessera/settings';
import type { Participant, Vote } from './participant.js';

const log = loggerFor('settings');

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
      log.error({ error }, 'settings are in force, and not everything follows them: start anew');
    }
    return Promise.resolve();
  }

  discard(): void {
    this.staged?.discard();
    this.staged = undefined;
  }
}
