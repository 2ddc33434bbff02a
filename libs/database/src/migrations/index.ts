// The numbered migrations, oldest first. One that has been released never changes.
import type { MigrationInterface } from 'typeorm';
import { Tickets } from './0001-tickets.js';
import { RegisteredServices } from './0002-registered-services.js';
import { UserAccounts } from './0003-user-accounts.js';
import { AuthenticationFailures } from './0004-authentication-failures.js';
import { AuditEvents } from './0005-audit-events.js';
import { Properties } from './0006-properties.js';

export type MigrationClass = new () => MigrationInterface;

export const migrations: readonly MigrationClass[] = [
  Tickets,
  RegisteredServices,
  UserAccounts,
  AuthenticationFailures,
  AuditEvents,
  Properties,
];
