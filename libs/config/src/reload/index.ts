export { primarySnapshot } from './processes/primary-client.js';
export type { ReloadOutcome } from './reload-outcome.js';
export { reloadEvents, type ReloadEvent } from './reload-events.js';
export { ANOTHER_NODE, DATABASE_CREDENTIALS_REFUSED } from './reload-reasons.js';
export { reloadOf, type Reload } from './reload.js';
export { openReloading, type Reloading } from './reloading.js';
