// What applications may use of the server.
export { addressComplaints } from './addresses/address-complaints.js';
export { AddressRanges } from './addresses/address-ranges.js';
export { ClientAddresses } from './addresses/client-addresses.js';
export { FORWARDING_HEADERS, type ForwardingHeader } from './addresses/forwarding-headers.js';
export { send, text, TEXT, UNAVAILABLE_HEADERS, type Answer } from './answer.js';
export { createApplication } from './application.js';
export { declaresForm, isForm, readBody, refuseContentCoding } from './body.js';
export { Form, queryText, readForm, readFormText } from './form.js';
export { HealthModule } from './health/health.module.js';
export type { ReadinessCheck } from './health/readiness-check.js';
export { RequestError } from './request-error.js';
export type { FaultWording } from './request-errors.filter.js';
export { run } from './run.js';
export { serve, type Announcement } from './serve.js';
export { peerCertificate } from './tls/peer-certificate.js';
export { tlsComplaints, tlsOptionsOf, type TlsFiles } from './tls/tls-files.js';
export type { NamedFile, TlsOptions } from './tls/tls-options.js';
export { runWorkers, type WorkerCount } from './workers.js';
