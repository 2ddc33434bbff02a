// Counts of failed logins and of requests.
export { AuthenticationThrottle, type ThrottlePolicy } from './authentication-throttle.js';
export type { FailureStore } from './failure-store.js';
export { PostgresFailureStore } from './postgres-failure-store.js';
export { MemoryFailureStore } from './memory-failure-store.js';
export { MemoryRequestRateStore } from './memory-request-rate-store.js';
export { RequestRateStore } from './request-rate-store.js';
export { ThrottledError } from './throttled-error.js';
