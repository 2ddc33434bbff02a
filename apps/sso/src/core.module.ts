// The providers that all modules of the application need: its storage, its settings, and the addresses of callers.
import { Module } from '@nestjs/common';
import { ExpiryModule } from '@tessera/server';
import { SettingsAudit } from './audit/settings-audit.js';
import { CurrentPrincipalsModule } from './authentication/current-principals.js';
import { ClientAddressesModule } from './requests/client-addresses.module.js';
import { CrossNodeReload } from './process/cross-node-reload.js';
import { StorageModule } from './storage/storage.module.js';

@Module({
  imports: [StorageModule, ExpiryModule, ClientAddressesModule, CurrentPrincipalsModule],
  providers: [CrossNodeReload, SettingsAudit],
  exports: [
    StorageModule,
    ExpiryModule,
    CrossNodeReload,
    ClientAddressesModule,
    CurrentPrincipalsModule,
  ],
})
export class CoreModule {}
