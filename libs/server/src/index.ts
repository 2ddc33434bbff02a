// The public API of the server library.
export { AddressRanges, addressViolations } from './addresses/address-ranges.js';
export { ClientAddresses } from './addresses/client-addresses.js';
export { canonicalAddress, isLoopback } from './addresses/ip-address.js';
export { reasonNotLocal } from './addresses/local-requests.js';
export { trustedProxySettings } from './addresses/trusted-proxy-settings.js';
export { Answer, json, redirect, text, TEXT, UNAVAILABLE_HEADERS } from './answer.js';
export { AnswerFilter } from './answer.filter.js';
export { apiDescriptionReader, type ApiDescription } from './api-description.js';
export { ApiDescriptionModule } from './endpoints/api-description.module.js';
export { refusedConnections } from './connections.js';
export { createApplication } from './application.js';
export { AnswerAdapter } from './express-adapter.js';
export { readAuthorization, type Authorization } from './authorization.js';
export {
  declaresForm,
  declaresJson,
  isForm,
  readBody,
  refuseContentCoding,
  refuseUnlessXml,
} from './body.js';
export { ExpiryModule, ExpiryWatch, type Expiring } from './endpoints/expiry-watch.js';
export { FrontPageModule } from './endpoints/front-page.module.js';
export { type FrontPage } from './endpoints/front-page.js';
export { HealthModule, type ReadinessCheck } from './endpoints/health.module.js';
export {
  RefreshModule,
  type RefreshOptions,
  type RefreshOutcome,
} from './endpoints/refresh.module.js';
export { AdmissionError, RequestError, type AdmissionErrorCode } from './errors.js';
export { BodyForm, QueryForm } from './form.decorators.js';
export { Form, queryText, readForm, readFormText } from './form.js';
export { BARE_POLICY, html, isFromBrowser } from './html.js';
export { escapeHtml, plainPage, type PlainLink, type PlainPage } from './plain-page.js';
export {
  decodedPathOf,
  knownMethodOf,
  requestHandling,
  requestStarts,
  responseFinishes,
  routeOf,
} from './request-events.js';
export {
  ERROR_PAGES,
  MANAGEMENT_ERRORS,
  errorResponseOf,
  type ErrorPages,
  type ErrorRenderer,
  type ErrorResponse,
} from './request-errors.filter.js';
export { RateLimit, type RateLimits } from './rate-limit/rate-limit.guard.js';
export { RateLimitModule, type RateLimitOptions } from './rate-limit/rate-limit.module.js';
export { RequestLimit, rateLimitSettings } from './rate-limit/rate-limit-settings.js';
export { run } from './run.js';
export {
  PROCESS_PARTS,
  ProcessPartsModule,
  type ProcessParts,
  type ReadMetrics,
} from './process-parts.module.js';
export { ApplicationHost, type Listeners } from './application-host.js';
export { Listener } from './listener.js';
export { managementPath } from './management.js';
export { managementServerSettings } from './management-server-settings.js';
export { type ListenAddress } from './listen-error.js';
export { closeManagement, listenForManagement, serve, type ReadyMessage, urlOf } from './serve.js';
export { shutdownSignal } from './shutdown-signal.js';
export { peerCertificate } from './tls/https-listener.js';
export { tlsSettings } from './tls/tls-settings.js';
export { type Primary, runWorkers, type WorkerCount } from './workers.js';
