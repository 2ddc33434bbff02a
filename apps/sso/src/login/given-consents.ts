// The port of what users have allowed applications, which the page of the session lists.

export interface GivenConsent {
  /** Names it in the form that takes it back. */
  readonly id: string;
  /** Of the application. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** When the user has allowed something the last time. */
  readonly changedAt: Date;
}

export abstract class GivenConsents {
  abstract of(principal: string): Promise<readonly GivenConsent[]>;
}
