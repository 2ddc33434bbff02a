// The logout messages that wait or have failed, for operators. The queue is opened at its first use.
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { LiveSettings } from '@tessera/config';
import { poolOf } from '@tessera/database';
import { type FailedMessage, LogoutQueue, type WaitingMessage } from '@tessera/logout-messages';
import type { SsoSettings } from '../../settings.js';
import { ProblemError } from '../problem.js';

/** @throws ProblemError LOGOUT_MESSAGES_DISABLED without single logout */
@Injectable()
export class LogoutMessages implements OnModuleDestroy {
  private opening: Promise<LogoutQueue> | undefined;

  constructor(
    @Inject(getDataSourceToken()) private readonly dataSource: DataSource,
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<SsoSettings>, 'current'>,
  ) {}

  async findFailed(): Promise<readonly FailedMessage[]> {
    return (await this.queue()).findFailed();
  }

  async findWaiting(): Promise<readonly WaitingMessage[]> {
    return (await this.queue()).findWaiting();
  }

  async counts(): Promise<{ readonly pending: number; readonly failed: number }> {
    return (await this.queue()).counts();
  }

  /** @param ids undefined for all @returns the number of messages that are sent again */
  async retry(ids: readonly string[] | undefined): Promise<number> {
    return (await this.queue()).retryFailed(ids);
  }

  async onModuleDestroy(): Promise<void> {
    const queue = await this.opening?.catch(() => undefined);
    await queue?.close();
  }

  private queue(): Promise<LogoutQueue> {
    if (!this.live.current.singleLogout) {
      throw new ProblemError('LOGOUT_MESSAGES_DISABLED', 'sso.logout.enabled is false');
    }
    this.opening ??= this.open().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async open(): Promise<LogoutQueue> {
    const queue = new LogoutQueue(poolOf(this.dataSource), { isSupervised: false });
    await queue.open();
    return queue;
  }
}
