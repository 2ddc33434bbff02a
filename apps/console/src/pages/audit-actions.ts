// The choices of the filters of the audit trail.
import type { AuditQuery } from '../api/answers.js';

const NAMES: readonly NonNullable<AuditQuery['action']>[] = [
  'LOGIN',
  'CHANGE_PASSWORD',
  'LOGOUT',
  'GRANT_TICKET',
  'GRANT_PROXY_TICKET',
  'GRANT_PROXY_GRANTING_TICKET',
  'VALIDATE_TICKET',
  'AUTHORIZE_CLIENT',
  'GRANT_TOKENS',
  'REVOKE_TOKENS',
  'AUTHENTICATE_CLIENT',
  'GRANT_CONSENT',
  'WITHDRAW_CONSENT',
  'SEND_LOGOUT_MESSAGE',
  'RETRY_LOGOUT_MESSAGES',
  'END_SESSIONS',
  'REGISTER_SERVICE',
  'CHANGE_SERVICE',
  'REMOVE_SERVICE',
  'IMPORT_SERVICES',
  'ADD_CLIENT_SECRET',
  'REMOVE_CLIENT_SECRET',
  'ADD_INITIAL_ACCESS_TOKEN',
  'REMOVE_INITIAL_ACCESS_TOKEN',
  'ADD_USER',
  'CHANGE_USER',
  'REMOVE_USER',
  'IMPORT_USERS',
  'REQUEST_RELOAD',
  'RELOAD_SETTINGS',
  'ENCRYPT',
  'DECRYPT',
  'READ_CONFIG',
  'ROTATE_KEYS',
  'ROTATE_SIGNING_KEYS',
  'REMOVE_SIGNING_KEY',
  'IMPORT_SIGNING_KEYS',
];

export const ACTIONS: Readonly<Record<string, string>> = {
  '': 'all',
  ...Object.fromEntries(NAMES.map((name) => [name, name])),
};

export const OUTCOMES: Readonly<Record<string, string>> = {
  '': 'all',
  success: 'success',
  failure: 'failure',
  unknown: 'unknown',
};
