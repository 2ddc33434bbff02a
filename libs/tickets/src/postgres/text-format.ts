// Writes the parameters and reads the rows of the hot statements, in PostgreSQL's text format.
import type { TextRow } from '@tessera/database';
import { hashTicketId, type TicketId } from '../ticket-id.js';
import type { Authentication, ConsumedTicket, GrantingTicketHandle } from '../ticket-registry.js';
import { SLOTS, type Slot } from './ring.js';

export interface GrantRow {
  /** Place of the request in the batch, from 0. */
  readonly place: number;
  readonly verdict: 'granted' | 'granting-ticket-not-found' | 'new-login-required' | 'stale';
  /** The slot for new tickets; where the verdict is `stale`, the one to use instead. */
  readonly slot: Slot;
  /** The id of the principal; undefined where there is no session. */
  readonly principal: string | undefined;
}

export interface ConsumedRow {
  /** Place of the ticket in the batch, from 0. */
  readonly place: number;
  readonly ticket: ConsumedTicket;
}

/** The key of an id in the tables. */
export function keyOf(id: TicketId): string {
  return `\\x${hashTicketId(id)}`;
}

/** An array of keys, each given as the hash of its id. */
export function keyArray(hashes: readonly string[]): string {
  return `{${hashes.map((hash) => `\\\\x${hash}`).join(',')}}`;
}

export function booleanArray(values: readonly boolean[]): string {
  return `{${values.join(',')}}`;
}

export function textArray(values: readonly string[]): string {
  return `{${values.map(quoted).join(',')}}`;
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Reads a row of a granting statement. */
export function readGrantRow([n, verdict, slot, principal]: TextRow): GrantRow {
  return {
    place: Number(n) - 1,
    verdict: verdict as GrantRow['verdict'],
    slot: SLOTS.find((each) => each === slot) ?? '0',
    principal: principal ?? undefined,
  };
}

/** Reads a row of the consuming statement. */
export function readConsumedRow(row: TextRow): ConsumedRow {
  const [n, grantedBy, service, fromNewLogin, ...others] = row;
  const [principal, attributes, handler, credentialType, authenticatedAt, proxies] = others;
  const authentication = {
    principal: { id: principal, attributes: JSON.parse(attributes ?? '{}') as unknown },
    handler,
    credentialType,
    authenticatedAt: new Date(Number(authenticatedAt)),
  } as Authentication;
  return {
    place: Number(n) - 1,
    ticket: {
      grantedBy: grantedBy as GrantingTicketHandle,
      service: service ?? '',
      fromNewLogin: fromNewLogin === 't',
      authentication,
      proxies: typeof proxies === 'string' ? (JSON.parse(proxies) as readonly string[]) : [],
    },
  };
}
