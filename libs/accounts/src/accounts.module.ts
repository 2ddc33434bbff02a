import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountStore } from './account-store.js';
import { UserAccount } from './user-account.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserAccount])],
  providers: [AccountStore],
  exports: [AccountStore],
})
export class AccountsModule {}
