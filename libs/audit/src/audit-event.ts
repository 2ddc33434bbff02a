// An event, as the code that reports it describes it.

/** Everything that is recorded. @see docs/audit.md */
export const AUDIT_ACTIONS = [
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
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `unknown`: the action failed for a reason that says nothing about it, such as an unavailable directory. */
export const AUDIT_OUTCOMES = ['success', 'failure', 'unknown'] as const;

export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Texts may be of any length and content. No secrets. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  /** A stable code, such as `SERVICE_NOT_AUTHORIZED`. */
  readonly reason?: string | undefined;
  /** The id of the principal; of a refused login the user name, as it was given. */
  readonly principal?: string | undefined;
  /** The id or name of what was changed. */
  readonly subject?: string | undefined;
  /** The URL of the service. Only the part before the query is recorded. */
  readonly service?: string | undefined;
  /** The ticket-granting ticket. Only its prefix and its last characters are recorded. */
  readonly session?: string | undefined;
  /** An IP address. By default that of the current request. */
  readonly clientAddress?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Where events come from. */
export interface AuditSource {
  readonly application: string;
  readonly node: string;
}

/** An event as it is recorded. */
export interface AuditRecord {
  readonly occurredAt: Date;
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly reason: string | null;
  readonly principal: string | null;
  readonly subject: string | null;
  readonly service: string | null;
  /** The prefix of the ticket and its last four characters: `TGT-…a91f`, as in every log line. */
  readonly session: string | null;
  readonly clientAddress: string | null;
  readonly requestId: string | null;
  readonly application: string;
  readonly node: string;
  readonly details: object | null;
}
