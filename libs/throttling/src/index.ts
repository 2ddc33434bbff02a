// Throttling of failed logins.
export { AuthenticationThrottle, type ThrottlePolicy } from './authentication-throttle.js';
export type { FailureStore } from './failure-store.js';
export { PostgresFailureStore } from './postgres-failure-store.js';
export { MemoryFailureStore } from './memory-failure-store.js';
export { RequestRateStore } from './request-rate-store.js';
export { ThrottledError } from './throttled-error.js';
