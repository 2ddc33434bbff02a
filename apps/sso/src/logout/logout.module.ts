// Single logout: tells services when a session ends.
import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { poolOf } from '@tessera/database';
import { LogoutQueue } from '@tessera/logout-messages';
import { CoreModule } from '../core.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { LogoutDelivery } from './logout-delivery.js';
import { LogoutSender } from './logout-sender.js';
import { LogoutTargets } from './logout-targets.js';

@Module({
  imports: [CoreModule, OutgoingModule],
  providers: [
    LogoutDelivery,
    LogoutSender,
    LogoutTargets,
    {
      provide: LogoutQueue,
      inject: [getDataSourceToken()],
      useFactory: (dataSource: DataSource) =>
        new LogoutQueue(poolOf(dataSource), { isSupervised: true }),
    },
  ],
})
export class LogoutModule {}
