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

/** A message to one of the logout URLs of its service. */
export interface Delivery extends LogoutMessage {
  /** The position of the URL among those of the service, from 0. */
  readonly urlIndex: number;
}

/** A message that was taken from the queue to be addressed. */
export interface UnaddressedMessage {
  /** Its key in the queue. */
  readonly jobId: string;
  readonly message: LogoutMessage;
}

/** A delivery to be queued. */
export interface NewDelivery {
  readonly delivery: Delivery;
  /** The application and host that share a limit of calls. */
  readonly group: string;
}

/** A delivery that was taken from the queue to be sent. */
export interface TakenMessage {
  /** Its key in the queue. */
  readonly jobId: string;
  readonly group: string;
  /** Of the attempts before this one. */
  readonly failures: number;
  /** Whether a failure of this attempt is final. */
  readonly isLastAttempt: boolean;
  readonly message: Delivery;
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
