// What a program needs of its process, its machine and the network. `refuseOlderNode` runs on an older Node too, before anything else is
// loaded: no file here uses what an older Node lacks when it is loaded.
export { availableFirst } from './available-first.js';
export { backoffDelay, type Backoff } from './backoff.js';
export { ignoreDebuggerSignal, NO_DEBUGGER_BY_SIGNAL } from './debugger-signal.js';
export { CodedError } from './coded-error.js';
export { describeDatabase, urlFormatViolation, urlsOfHosts, urlViolation } from './database-url.js';
export {
  embeddedDatabaseUrl,
  isEmbeddedDatabaseRequest,
  offersEmbeddedDatabase,
  type EmbeddedDatabaseAnswer,
} from './embedded-database.js';
export { EventChannel } from './event-channel.js';
export { EXPIRY_RULE, parseExpiry } from './expiry.js';
export { FairQueue } from './fair-queue.js';
export { type FileLock, tryFileLock } from './file-lock.js';
export { FileSnapshot } from './file-snapshot.js';
export { handleSighup } from './sighup.js';
export { findAddresses, lookupHost } from './host-lookup.js';
export { HttpClient, schemeHint, type ClientCertificate, type HttpAnswer } from './http-client.js';
export { isKnownNetwork, rememberNetwork } from './known-networks.js';
export { makeDirectories } from './make-directories.js';
export { networkOf } from './network-of.js';
export { refuseOlderNode } from './node-version.js';
export { onNpmExit } from './npm-parent.js';
export { maxOpenFiles } from './open-files.js';
export { OperationChannel, type Observed, type Settled } from './operation-channel.js';
export { Poller } from './poller.js';
export {
  besideSso,
  callerDirectory,
  childEnvironment,
  environmentVariable,
  isBesideSso,
  muteDebugging,
} from './process-environment.js';
export {
  describeReadError,
  readRegularFile,
  type FileReading,
  type FileRules,
} from './read-regular-file.js';
export { cachedSingleFlight, SingleFlight, trailingSingleFlight } from './single-flight.js';
export { Turns, type Applicant, type TurnLimits } from './turns.js';
export { productVersion } from './version.js';
export { writePrivateFile } from './write-private-file.js';
export {
  codeOf,
  DatabaseError,
  isTemporary,
  isLocked,
  isUnavailable,
  reasonOf,
  toDatabaseError,
  unavailabilityOf,
  type DatabaseErrorCode,
} from './database-errors.js';
