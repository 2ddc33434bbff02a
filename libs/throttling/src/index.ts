// Throttling of failed logins, with counts that all nodes share.
export { AuthenticationThrottle, type ThrottlePolicy } from './authentication-throttle.js';
export type { Failures } from './failures.js';
export { FailureStore } from './failure-store.js';
export { MemoryFailures } from './memory-failures.js';
export { ThrottledError } from './throttled-error.js';
