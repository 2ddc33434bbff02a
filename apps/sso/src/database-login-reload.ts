import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseLogin, type LoginChange } from '@tessera/database';
import { LiveSettings, SettingsError } from '@tessera/config';
import type { SsoSettings } from './settings.js';

/** Changes the login on the database when a reload brings another `database.url`. */
@Injectable()
export class DatabaseLoginReload implements OnModuleInit {
  constructor(
    @Inject(LiveSettings) private readonly live: LiveSettings<SsoSettings>,
    private readonly login: DatabaseLogin,
  ) {}

  onModuleInit(): void {
    this.live.follow({ files: [], prepare: (settings) => this.prepare(settings) });
  }

  private async prepare({
    databaseUrl,
    applicationName,
  }: SsoSettings): Promise<LoginChange | undefined> {
    const change = await this.login.prepare(databaseUrl?.reveal());
    if (change === undefined || !('violation' in change)) return change;
    throw new SettingsError(applicationName, [{ key: 'database.url', message: change.violation }]);
  }
}
