// Tells the page of an interaction what the login page has found. It travels through the address, sealed.
import { Injectable } from '@nestjs/common';
import type { GrantingTicketHandle } from '@tessera/tickets';
import { SealingKey } from '../../login/login-key.js';

/** The user of a session was at the login page for an interaction. */
export interface InteractionProof {
  readonly uid: string;
  readonly session: GrantingTicketHandle;
  /** Whether the user has given credentials. */
  readonly withCredentials: boolean;
}

@Injectable()
export class InteractionProofs {
  constructor(private readonly key: SealingKey) {}

  seal(proof: InteractionProof): Promise<string> {
    return this.key.seal('interaction', proof);
  }

  /** Undefined for a text that is not from this server. */
  async open(text: string): Promise<InteractionProof | undefined> {
    return (await this.key.open('interaction', text)) as InteractionProof | undefined;
  }
}
