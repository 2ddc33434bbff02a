export type { FailedMessage, LogoutMessage, TakenMessage } from './logout-message.js';
export { LogoutQueue } from './logout-queue.js';
