export {
  hasAttributeRules,
  isAuthorised,
  isEnabled,
  missingAttributes,
  rejectingAttributes,
} from './authorisation.js';
export {
  EMPTY_REGISTRY,
  importServiceFiles,
  type FileReport,
  type ImportOptions,
  type ImportReport,
} from './import/import-service-files.js';
export { countStates, stateOf, summaryOf } from './import/import-summary.js';
export {
  CLIENT_DEFAULTS,
  type ClientDefinition,
  type GrantType,
  hasSecrets,
  type NewClient,
  newClientId,
} from './client-definition.js';
export { serverUriViolation } from './client-uris.js';
export { convertService, type ConvertedService } from './import/convert-service.js';
export { readValues } from './import/java-value-patterns.js';
export type { FileNote } from './import/service-draft.js';
export { foreignUrlOf } from './import/foreign-host.js';
export { findShadowing } from './import/shadowed-service.js';
export { logoutUrlsOf } from './logout-urls.js';
export { matchesRedirectPattern, originOfPattern } from './matching/redirect-patterns.js';
export { valuePattern, type ValuePattern } from './matching/compiled-pattern.js';
export { valuesOf, type Attributes, type Principal } from './principal.js';
export { mayProxyTo } from './proxy-policy.js';
export {
  SERVICE_DEFAULTS,
  type AttributePatterns,
  type AttributeRelease,
  type LogoutType,
  type NewService,
  type ProxyPolicy,
  type RegisteredClient,
  type RegisteredService,
  type ServiceDefinition,
  type UsernameAttribute,
} from './registered-service.js';
export {
  InitialAccessTokens,
  initialAccessTokenId,
  type InitialAccessToken,
  type NewInitialAccessToken,
} from './registry/initial-access-tokens.js';
export {
  type StoredService,
  RegisteredServiceEntity,
} from './registry/registered-service.entity.js';
export { serviceEvents } from './registry/service-events.js';
export { ServiceRegistry, type ServiceRegistryOptions } from './registry/service-registry.js';
export {
  ClientSecrets,
  type ClientSecret,
  type NewClientSecret,
} from './registry/client-secrets-store.js';
export { ServiceStore } from './registry/service-store.js';
export { hasUserName, release } from './release.js';
export { ServicesModule } from './services.module.js';
export { fieldViolation, readDefinition } from './service-definition.js';
export {
  clientNotFound,
  InvalidPatternError,
  InvalidServiceError,
  ServiceError,
  serviceNotFound,
  type FieldViolation,
  type ServiceErrorCode,
} from './service-error.js';
export { findOvertaken, globsIn, refuseDuplicate, refuseGlobs } from './service-input-rules.js';
