// Turns an event into its record: completes it from the current request, and shortens and cleans its texts.
import {
  currentClientAddress,
  currentRequestId,
  maskTickets,
  withoutQuery,
} from '@tessera/logging';
import type { AuditEvent, AuditRecord, AuditSource } from './audit-event.js';

const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 2_048;
/** Of refused events, which anybody can cause. */
const MAX_REFUSED_LENGTH = 256;
const PREFIX_LENGTH = 4;
/** Perhaps a ticket, or a character that is not storable. Most texts have neither, and the full search costs more. */
const MAY_NEED_CLEANING = /[\0\uD800-\uDFFF]|(?:T|U|LR)(?:-|%2D)/;

export function recordOf(event: AuditEvent, source: AuditSource): AuditRecord {
  const { service, session, clientAddress = currentClientAddress(), details } = event;
  const maxLength = event.outcome === 'success' ? MAX_URL_LENGTH : MAX_REFUSED_LENGTH;
  return {
    occurredAt: new Date(),
    action: event.action,
    outcome: event.outcome,
    reason: clean(event.reason),
    principal: clean(event.principal),
    subject: clean(event.subject),
    service: service === undefined ? null : urlOf(service, maxLength),
    session: shortTicket(session),
    clientAddress: clientAddress ?? null,
    requestId: currentRequestId() ?? null,
    application: source.application,
    node: source.node,
    details: details === undefined ? null : (cleanAll(details, maxLength) as object),
  };
}

/** Callers may present a ticket in the place of any other text. */
function clean(text: string | undefined, maxLength = MAX_NAME_LENGTH): string | null {
  if (text === undefined) return null;
  if (text.length <= maxLength && !MAY_NEED_CLEANING.test(text)) return text;
  const masked = maskTickets(text);
  return storable(masked.length > maxLength ? copyOf(masked.slice(0, maxLength)) : masked);
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.isWellFormed() && !text.includes('\0')
    ? text
    : text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function urlOf(service: string, maxLength: number): string | null {
  const url = withoutQuery(service);
  return clean(url.length < service.length ? copyOf(url) : url, maxLength);
}

/** A slice of a text keeps the whole text in memory. */
function copyOf(slice: string): string {
  return Buffer.from(slice, 'utf16le').toString('utf16le');
}

function cleanAll(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return clean(value, maxLength);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => cleanAll(each, maxLength));
  const entries = Object.entries(value).map(
    ([key, each]) => [clean(key), cleanAll(each, maxLength)] as const,
  );
  return Object.fromEntries(entries);
}

/** Null for a text that is no ticket-granting ticket. */
function shortTicket(ticket = ''): string | null {
  if (!ticket.startsWith('TGT-') && !ticket.startsWith('PGT-')) return null;
  return storable(`${ticket.slice(0, PREFIX_LENGTH)}…${ticket.slice(-4)}`);
}
