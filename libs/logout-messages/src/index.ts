export type {
  Delivery,
  FailedMessage,
  LogoutMessage,
  NewDelivery,
  TakenMessage,
  UnaddressedMessage,
  WaitingMessage,
} from './logout-message.js';
export { LogoutQueue } from './logout-queue.js';
