export { ServiceMismatchError, TicketError, type TicketErrorCode } from './errors.js';
export { type TicketLifetimes } from './lifetimes.js';
export {
  LOGOUT_MESSAGES_CHANNEL,
  LogoutQueue,
  type ApplicationProtocol,
  type LogoutMessage,
  type LogoutMessageState,
  type QueuedLogoutMessage,
  type TakenLogoutMessage,
} from './logout-queue.js';
export { PostgresLogoutQueue } from './postgres/postgres-logout-queue.js';
export { PostgresTicketRegistry } from './postgres/postgres-ticket-registry.js';
export { ServiceTickets, type Assertion } from './service-tickets.js';
export { canonicalService } from './service-url.js';
export { TicketGranting } from './ticket-granting.js';
export { MAX_SUFFIX_LENGTH, newTicketId, parseTicketId, type TicketId } from './ticket-id.js';
export {
  batchEvents,
  batchOperations,
  ticketEvents,
  type BatchOperation,
  type TicketEvent,
} from './ticket-events.js';
export { TicketsModule } from './tickets.module.js';
export {
  handleOf,
  SessionAdministration,
  type ApplicationSignIn,
  type Authentication,
  type GrantingTicketHandle,
  type SessionDetails,
  type SessionService,
  TicketRegistry,
  type UsedMethod,
} from './ticket-registry.js';
