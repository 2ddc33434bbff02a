// What programs ask of the process they run in, before they load anything else. `refuseOlderNode` runs on an older Node
// too: nothing here needs what that lacks.
export { refuseOlderNode } from './node-version.js';
export { childEnvironment, environmentVariable } from './process-environment.js';
