// The rate limits of the SSO application, counted in PostgreSQL for all nodes.
import { Inject, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Cleaner, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { networkOf } from '@tessera/runtime';
import { ClientAddresses, RateLimitModule, type RateLimitOptions } from '@tessera/server';
import { RequestRateStore } from '@tessera/throttling';
import { ClientAddressesModule } from './client-addresses.module.js';
import { rateLimitConfig } from '../settings/namespaces.js';
import type { RateLimitSettings } from '../settings/rate-limit-settings.js';

const CLEANING_INTERVAL = 60_000;
/** Rows that one statement removes. */
const BATCH = 1_000;

@Module({
  imports: [
    RateLimitModule.forRootAsync({
      imports: [ClientAddressesModule],
      inject: [rateLimitConfig.KEY, ClientAddresses, getDataSourceToken()],
      useFactory: (
        settings: RateLimitSettings,
        addresses: ClientAddresses,
        dataSource: DataSource,
      ): RateLimitOptions => ({
        limits: settings.limits,
        addressOf: (request) => networkOf(addresses.of(request)),
        storage: new RequestRateStore(poolOf(dataSource)),
      }),
    }),
  ],
})
export class SsoRateLimitModule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly cleaner: Cleaner;

  constructor(@Inject(getDataSourceToken()) dataSource: DataSource) {
    const store = new RequestRateStore(poolOf(dataSource));
    this.cleaner = new Cleaner({
      removeBatch: () => store.removeExpired(BATCH),
      interval: CLEANING_INTERVAL,
      rows: 'request counts',
      log: loggerFor('throttling'),
    });
  }

  onApplicationBootstrap(): void {
    this.cleaner.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.cleaner.stop();
  }
}
