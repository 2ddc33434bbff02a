// The audit trail of the SSO application.
import { hostname } from 'node:os';
import type { DynamicModule } from '@nestjs/common';
import { AuditModule, type AuditSettings } from '@tessera/audit';
import { auditConfig, ssoConfig, ticketsConfig } from '../settings/namespaces.js';
import type { TicketSettings } from '../settings/ticket-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';

const TICKET_ACTIONS: readonly string[] = [
  'GRANT_TICKET',
  'GRANT_PROXY_TICKET',
  'GRANT_PROXY_GRANTING_TICKET',
  'VALIDATE_TICKET',
  'AUTHORIZE_CLIENT',
  'GRANT_TOKENS',
];

/** @param database the module of the database */
export function ssoAuditModule(database: DynamicModule): DynamicModule {
  return AuditModule.forRootAsync({
    imports: [database],
    inject: [ssoConfig.KEY, ticketsConfig.KEY, auditConfig.KEY],
    useFactory: (
      { applicationName }: SsoSettings,
      { suffix }: TicketSettings,
      settings: AuditSettings,
    ) => ({
      application: applicationName,
      node: suffix || hostname(),
      isStored: ({ action, outcome }) =>
        settings.isEnabled &&
        (settings.storesTickets || outcome !== 'success' || !TICKET_ACTIONS.includes(action)),
      retention: settings.retention,
    }),
  });
}
