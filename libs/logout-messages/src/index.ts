export type {
  FailedMessage,
  LogoutMessage,
  TakenMessage,
  WaitingMessage,
} from './logout-message.js';
export { LogoutQueue } from './logout-queue.js';
