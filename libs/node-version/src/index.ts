// What programs ask before they load anything else. It needs nothing that an older Node lacks.
export { refuseOlderNode } from './node-version.js';
