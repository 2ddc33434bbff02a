// The queue of logout messages, a part of the port of ticket registries: the end of a session queues its messages.

/** The announcements of new messages, and of messages that are sent again. */
export const LOGOUT_MESSAGES_CHANNEL = 'logout_messages';

/** How an application signs its users in. */
export type ApplicationProtocol = 'cas' | 'oidc';

/** Tells an application that a session has ended. */
export interface LogoutMessage {
  /** `LR-…`; the same in every attempt. */
  readonly id: string;
  /** The id of the principal. */
  readonly principal: string;
  readonly protocol: ApplicationProtocol;
  /** By which its registration is found: of `cas` the service URL of the ticket, of `oidc` the client id. */
  readonly application: string;
  /** By which the application finds its own session: of `cas` the consumed ticket, of `oidc` the `sid`. */
  readonly sessionIndex: string;
  readonly endedAt: Date;
}

/** A message to one of the logout URLs of its application, taken from the queue to be sent. */
export interface TakenLogoutMessage extends LogoutMessage {
  /** The position of the URL among those of the application, from 0. */
  readonly urlIndex: number;
  /** The application and host that share a limit of calls. */
  readonly group: string;
  /** Attempts before this one. */
  readonly failures: number;
}

/** A message as operators see it. */
export interface QueuedLogoutMessage extends LogoutMessage {
  /** The attempts that have failed. */
  readonly attempts: number;
  /** Null for a message that has failed for good. */
  readonly nextAttemptAt: Date | null;
  /** Null for a message that waits. */
  readonly failedAt: Date | null;
  /** Of the last attempt; null before the first. */
  readonly reason: string | null;
}

export type LogoutMessageState = 'failed' | 'waiting';

export interface LogoutMessageQuery {
  readonly state: LogoutMessageState;
  readonly limit: number;
  /** The last message of the previous page. */
  readonly after?: Pick<LogoutMessage, 'id' | 'endedAt'> | undefined;
}

export interface TakingOptions {
  readonly limit: number;
  /** The most messages of a group that all nodes together have taken. */
  readonly perGroup: number;
  /** Groups of which none is taken. */
  readonly except: readonly string[];
  /** Milliseconds until another node may take a message of which the outcome is not known: its node has crashed. */
  readonly lease: number;
}

/**
 * Every message is delivered at least once, or fails. Of any number of nodes, one has a message at a time.
 * Operations fail as those of the registry.
 */
export abstract class LogoutQueue {
  /**
   * Replaces new messages by one for each logout URL, at most `limit`. Those without a URL are dropped. What a crash
   * interrupts is repeated, and queues nothing twice.
   *
   * @param groupsOf the group of each logout URL of the application
   */
  abstract address(
    limit: number,
    groupsOf: (message: LogoutMessage) => readonly string[],
  ): Promise<{ readonly addressed: number; readonly dropped: number }>;
  /** Takes messages that are due: first attempts before repetitions, and then the one that waits longest. */
  abstract take(options: TakingOptions): Promise<readonly TakenLogoutMessage[]>;
  /** Removes a message: it was sent, or is not to be sent any more. */
  abstract complete(message: Pick<LogoutMessage, 'id'>): Promise<void>;
  /** An attempt has failed. @param retryAfter milliseconds; without it the message has failed for good */
  abstract fail(message: TakenLogoutMessage, reason: string, retryAfter?: number): Promise<void>;
  /** The messages to be sent, and those that have failed for good. */
  abstract counts(): Promise<{ readonly pending: number; readonly failed: number }>;
  /**
   * The messages that have failed for good, or that no node sends at the moment: by the end of their session, the oldest
   * first. They are kept for 30 days after it.
   */
  abstract list(query: LogoutMessageQuery): Promise<readonly QueuedLogoutMessage[]>;
  /** Lets failed messages be sent again, from the first attempt on: those with these ids, or all. @returns their number */
  abstract retry(ids?: readonly string[]): Promise<number>;
}
