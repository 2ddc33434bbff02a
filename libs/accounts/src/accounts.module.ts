import { Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AccountStore } from './account-store.js';
import { UserAccount } from './user-account.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserAccount])],
  providers: [
    {
      provide: AccountStore,
      inject: [getDataSourceToken()],
      useFactory: (dataSource: DataSource) => new AccountStore(dataSource),
    },
  ],
  exports: [AccountStore],
})
export class AccountsModule {}
