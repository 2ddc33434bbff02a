// What applications may use of reloading.
export { ANOTHER_NODE, LOGIN_REFUSED } from './causes.js';
export type { ReloadOutcome } from './reload-outcome.js';
export { settingsInForce } from './processes/settings-in-force.js';
export { reloadOf, type Reload } from './reload.js';
export { openReloading, type Reloading } from './reloading.js';
