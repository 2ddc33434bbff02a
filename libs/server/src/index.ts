// The public API of the server library.
export { AddressRanges, addressViolations } from './addresses/address-ranges.js';
export { ClientAddresses } from './addresses/client-addresses.js';
export { canonicalAddress, isLoopback } from './addresses/ip-address.js';
export { reasonNotLocal } from './addresses/local-requests.js';
export { trustedProxySettings } from './addresses/trusted-proxy-settings.js';
export { AnswerFilter } from './answers/answer.filter.js';
export { Answer, json, redirect, send, text, TEXT, UNAVAILABLE_HEADERS } from './answers/answer.js';
export { BARE_POLICY, html, isFromBrowser } from './answers/html.js';
export { escapeHtml, plainPage, type PlainLink, type PlainPage } from './answers/plain-page.js';
export { ApplicationHost, type Listeners } from './application/application-host.js';
export { createApplication } from './application/application.js';
export { AnswerAdapter } from './application/express-adapter.js';
export {
  PROCESS_PARTS,
  ProcessPartsModule,
  type ProcessParts,
  type ReadMetrics,
} from './application/process-parts.module.js';
export { apiDescriptionReader, type ApiDescription } from './endpoints/api-description.js';
export { ApiDescriptionModule } from './endpoints/api-description.module.js';
export { type FrontPage } from './endpoints/front-page.js';
export { FrontPageModule } from './endpoints/front-page.module.js';
export { HealthModule, type ReadinessCheck } from './endpoints/health.module.js';
export {
  RefreshModule,
  type RefreshOptions,
  type RefreshOutcome,
} from './endpoints/refresh.module.js';
export { AdmissionError, RequestError, type AdmissionErrorCode } from './errors/errors.js';
export { type ListenAddress } from './errors/listen-error.js';
export { refusedConnections } from './listeners/connections.js';
export { Listener } from './listeners/listener.js';
export { managementServerSettings } from './listeners/management-server-settings.js';
export { run } from './process/run.js';
export {
  closeManagement,
  listenForManagement,
  serve,
  type ReadyMessage,
  urlOf,
} from './process/serve.js';
export { setDrainTime, shutdownSignal } from './process/shutdown-signal.js';
export { type Primary, runWorkers, type WorkerCount } from './process/workers.js';
export { RequestLimit, rateLimitSettings } from './rate-limit/rate-limit-settings.js';
export { RateLimit, type RateLimits } from './rate-limit/rate-limit.guard.js';
export { RateLimitModule, type RateLimitOptions } from './rate-limit/rate-limit.module.js';
export { readAuthorization, type Authorization } from './requests/authorization.js';
export {
  declaresForm,
  declaresJson,
  isForm,
  readBody,
  refuseContentCoding,
  refuseUnlessXml,
} from './requests/body.js';
export { BodyForm, QueryForm } from './requests/form.decorators.js';
export { Form, queryText, readForm, readFormText } from './requests/form.js';
export { isManagementRequest, managementPath } from './requests/management.js';
export {
  ERROR_PAGES,
  MANAGEMENT_ERRORS,
  errorResponseOf,
  type ErrorPages,
  type ErrorRenderer,
  type ErrorResponse,
  renderPlainText,
} from './requests/request-errors.filter.js';
export {
  decodedPathOf,
  knownMethodOf,
  requestHandling,
  requestStarts,
  responseFinishes,
  routeOf,
} from './requests/request-events.js';
export { ExpiryModule, ExpiryWatch, type Expiring } from './tls/expiry-watch.js';
export { peerCertificate } from './tls/https-listener.js';
export { tlsSettings } from './tls/tls-settings.js';
