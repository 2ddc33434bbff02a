// The numbered migrations, oldest first. A released migration never changes.
import { Tickets } from './0001-tickets.js';
import { RegisteredServices } from './0002-registered-services.js';
import { UserAccounts } from './0003-user-accounts.js';
import { AuthenticationFailures } from './0004-authentication-failures.js';
import { AuditEvents } from './0005-audit-events.js';
import { Properties } from './0006-properties.js';
import { RequestRates } from './0007-request-rates.js';
import { BrowserLogin } from './0008-browser-login.js';
import { BrowserSessions } from './0009-browser-sessions.js';
import { ProxyServices } from './0010-proxy-services.js';
import { SingleLogout } from './0011-single-logout.js';
import { AuditTrail } from './0012-audit-trail.js';
import { AuditBatches } from './0013-audit-batches.js';
import { SessionServiceLimit } from './0014-session-service-limit.js';
import { AccountSessions } from './0015-account-sessions.js';
import { ConsoleTokens } from './0016-console-tokens.js';
import { ServicesRegisteredOverRest } from './0017-services-registered-over-rest.js';
import { ProxyCallbacks } from './0018-proxy-callbacks.js';
import { LogoutMessages } from './0020-logout-messages.js';
import { ReservedFailures } from './0021-reserved-failures.js';
import { AuditInOneTable } from './0022-audit-in-one-table.js';
import { WindowsOfFailures } from './0023-windows-of-failures.js';
import { CompatiblePrograms } from './0024-compatible-programs.js';
import { LogoutAnnouncements } from './0025-logout-announcements.js';
import { ServiceRestrictions } from './0026-service-restrictions.js';
import { PasswordHistory } from './0027-password-history.js';
import { ServiceAnswers } from './0028-service-answers.js';
import { LoginMethods } from './0029-login-methods.js';
import { LogoutProtocols } from './0030-logout-protocols.js';
import { Clients } from './0031-clients.js';
import { SigningKeys } from './0032-signing-keys.js';
import { OidcStorage } from './0033-oidc-storage.js';
import { Consents } from './0034-consents.js';
import { EndedOwners } from './0035-ended-owners.js';
import type { MigrationClass } from './migration.js';

export const migrations: readonly MigrationClass[] = [
  Tickets,
  RegisteredServices,
  UserAccounts,
  AuthenticationFailures,
  AuditEvents,
  Properties,
  RequestRates,
  BrowserLogin,
  BrowserSessions,
  ProxyServices,
  SingleLogout,
  AuditTrail,
  AuditBatches,
  SessionServiceLimit,
  AccountSessions,
  ConsoleTokens,
  ServicesRegisteredOverRest,
  ProxyCallbacks,
  LogoutMessages,
  ReservedFailures,
  AuditInOneTable,
  WindowsOfFailures,
  CompatiblePrograms,
  LogoutAnnouncements,
  ServiceRestrictions,
  PasswordHistory,
  ServiceAnswers,
  LoginMethods,
  LogoutProtocols,
  Clients,
  SigningKeys,
  OidcStorage,
  Consents,
  EndedOwners,
];

/** All tables that the migrations create. */
export const TABLES: readonly string[] = [
  'audit_event',
  'authentication_failure',
  'client_secret',
  'login_key',
  'logout_message',
  'oidc_consent',
  'oidc_grant',
  'oidc_request',
  'oidc_token',
  'password_history',
  'properties',
  'registered_service',
  'registered_service_version',
  'request_rate',
  'schema_migration',
  'service_ticket_0',
  'service_ticket_1',
  'service_ticket_2',
  'service_ticket_3',
  'service_ticket_ring',
  'session_service',
  'signing_key',
  'ticket_granting_ticket',
  'used_login_form',
  'user_account',
];
