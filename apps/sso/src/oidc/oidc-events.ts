// The events of OpenID Connect: for the audit trail of the application, and for the metrics of the process.
import { Injectable } from '@nestjs/common';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import { EventChannel } from '@tessera/runtime';

/** The grant type of a token request; `other` for whatever else a caller sends. */
export type GrantName =
  'authorization_code' | 'refresh_token' | 'client_credentials' | 'device_code' | 'other';

/** `failed`: nothing could be decided, such as without a database. */
export type FinalOutcome = 'granted' | 'refused' | 'failed';
/** `pending`: the user has to act first. */
export type OidcOutcome = FinalOutcome | 'pending';

/** Who took part, as far as it is known. */
export interface Participants {
  /** The client id, as the caller gave it. */
  readonly client?: string | undefined;
  /** The id of the principal. */
  readonly principal?: string | undefined;
}

export type OidcEvent = Participants &
  (
    | {
        readonly type: 'authorization';
        readonly outcome: OidcOutcome;
        /** The error of OAuth: `access_denied`. */
        readonly reason?: string | undefined;
        /** One that the client may not use, without its query. */
        readonly refusedUri?: string | undefined;
      }
    | {
        readonly type: 'tokens';
        readonly grantType: GrantName;
        readonly outcome: OidcOutcome;
        readonly reason?: string | undefined;
      }
    | {
        readonly type: 'client-refused';
        readonly outcome: 'refused' | 'throttled';
        /** The error code that the client gets, such as `invalid_client`. */
        readonly reason?: string | undefined;
      }
    /** Of a client that has a valid initial access token. */
    | {
        readonly type: 'registration';
        /** Its id. */
        readonly initialAccessToken: string;
        readonly outcome: FinalOutcome;
        readonly reason?: string | undefined;
      }
    /** The client ended a token, or presented a code or a refresh token twice, which ends the grant. */
    | { readonly type: 'revoked'; readonly cause: 'client' | 'reuse' }
  );

const oidcEvents = new EventChannel<OidcEvent>('tessera:oidc');

@Injectable()
export class OidcEvents {
  constructor(private readonly auditTrail: AuditTrail) {}

  record(event: OidcEvent): void {
    oidcEvents.publish(event);
    const audited = auditEventOf(event);
    if (audited) this.auditTrail.record(audited);
  }
}

const OUTCOMES = { granted: 'success', refused: 'failure', failed: 'unknown' } as const;

/** Undefined for a request that is not decided yet. */
function auditEventOf(event: OidcEvent): AuditEvent | undefined {
  const { client: service, principal } = event;
  switch (event.type) {
    case 'revoked': {
      const reason = event.cause === 'reuse' ? 'TOKEN_REUSED' : undefined;
      return { action: 'REVOKE_TOKENS', outcome: 'success', reason, principal, service };
    }
    case 'client-refused': {
      const reason = event.outcome === 'throttled' ? 'AUTHENTICATION_THROTTLED' : event.reason;
      return { action: 'AUTHENTICATE_CLIENT', outcome: 'failure', reason, service };
    }
    case 'registration': {
      // A success is recorded in the transaction of the change.
      if (event.outcome === 'granted') return undefined;
      const reason = event.outcome === 'failed' ? 'ERROR' : event.reason;
      const details = { initialAccessToken: event.initialAccessToken };
      return { action: 'REGISTER_SERVICE', outcome: OUTCOMES[event.outcome], reason, details };
    }
    case 'authorization':
    case 'tokens': {
      if (event.outcome === 'pending') return undefined;
      const outcome = OUTCOMES[event.outcome];
      const reason = event.outcome === 'failed' ? 'ERROR' : event.reason;
      const decided = { outcome, reason, principal, service };
      if (event.type === 'tokens') {
        return { action: 'GRANT_TOKENS', ...decided, details: { grantType: event.grantType } };
      }
      const details = event.refusedUri && { redirectUri: event.refusedUri };
      return { action: 'AUTHORIZE_CLIENT', ...decided, ...(details && { details }) };
    }
  }
}
