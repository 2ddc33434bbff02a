// What applications may use of reloading.
export { ANOTHER_NODE, LOGIN_REFUSED } from './reload-reasons.js';
export type { ReloadOutcome } from './reload-outcome.js';
export { primarySnapshot } from './processes/primary-snapshot.js';
export { reloadOf, type Reload } from './reload.js';
export { openReloading, type Reloading } from './reloading.js';
