// Ticket ids: creation, parsing and hashing.
import { randomId, sha256 } from '@tessera/crypto';

/** The kind of a ticket, the prefix of its id. @see CAS 3.0 §3 */
export type TicketKind = 'TGT' | 'ST' | 'PGT' | 'PGTIOU' | 'PT' | 'LR';

/** A well-formed ticket id. The ticket need not exist. */
export interface TicketId {
  readonly kind: TicketKind;
  /** The whole id, a secret while the ticket lives. */
  readonly text: string;
}

/** Base 62: 22 characters carry 130 bits, 43 carry 256. The whole of an ST stays below 32 characters. */
const RANDOM_LENGTH: Readonly<Record<TicketKind, number>> = {
  TGT: 43,
  PGT: 43,
  ST: 22,
  PT: 22,
  PGTIOU: 43,
  LR: 22,
};

const SHAPE = /^(TGT|ST|PGT|PGTIOU|PT|LR)-[A-Za-z0-9-]+$/;
const MAX_LENGTH = 256;

/** The longest node suffix: with it and the ring's digit an ST still fits 32 characters. */
export const MAX_SUFFIX_LENGTH = 5;

export interface TicketIdOptions {
  /** A character in front of the random part, with a meaning for the registry. */
  readonly mark?: string;
  /** Names the node at the end of the id, for operators. */
  readonly suffix?: string;
}

/**
 * Creates an id: `PREFIX-<mark><random>[-<suffix>]`, from the system's secure random source.
 * @see CAS 3.0 §3.7 (at least 256 bits for granting tickets, 128 for the rest; alphabet A-Za-z0-9-)
 */
export function newTicketId(kind: TicketKind, options: TicketIdOptions = {}): TicketId {
  const random = `${options.mark ?? ''}${randomId(RANDOM_LENGTH[kind])}`;
  return { kind, text: `${kind}-${random}${options.suffix ? `-${options.suffix}` : ''}` };
}

/** Parses an id from a caller; undefined for a text that is not well-formed. */
export function parseTicketId(text: string): TicketId | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const prefix = SHAPE.exec(text)?.[1];
  return prefix === undefined ? undefined : { kind: prefix as TicketKind, text };
}

/** SHA-256 of the id, the only form that is stored, as 64 hexadecimal digits. */
export function hashTicketId(id: TicketId): string {
  return sha256(id.text);
}
