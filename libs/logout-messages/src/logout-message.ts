/** Tells a service that a session has ended. The trigger on sessions creates it. */
export interface LogoutMessage {
  /** `LR-…`; the same in every attempt. */
  readonly id: string;
  /** The id of the principal. */
  readonly principal: string;
  /** The service URL of the ticket. */
  readonly service: string;
  /** The consumed ticket with which the user signed in to the service. */
  readonly ticket: string;
  /** ISO 8601. */
  readonly endedAt: string;
}

/** A message that was taken from the queue to be sent. */
export interface TakenMessage {
  /** Its key in the queue. */
  readonly jobId: string;
  /** Of the attempts before this one. */
  readonly failures: number;
  /** Whether a failure of this attempt is final. */
  readonly isLastAttempt: boolean;
  readonly message: LogoutMessage;
}

/** A message whose last attempt has failed. */
export interface FailedMessage {
  readonly message: LogoutMessage;
  readonly failedAt: Date;
  readonly attempts: number;
  /** Of the last attempt. */
  readonly reason: string;
}

/** A message that waits for its next attempt. */
export interface WaitingMessage {
  readonly message: LogoutMessage;
  readonly nextAttemptAt: Date;
  /** The attempts so far, which have failed. */
  readonly attempts: number;
  /** Of the last attempt; undefined before the first. */
  readonly reason: string | undefined;
}
