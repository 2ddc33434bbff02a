// Reads the service of an Apereo service file. A service of an unknown class, or with a member that is not understood and
// may restrict it, is imported disabled: its URLs are refused, and no other service gets them.
import { hasAttributeRules } from '../authorisation.js';
import type { ServiceDefinition } from '../registered-service.js';
import type { ServiceImport } from '../registry/service-import-plan.js';
import { fieldViolation, inspectDefinition } from '../service-definition.js';
import { COMMON_MEMBERS, MEMBERS } from './apereo-members.js';
import { HjsonError, type HjsonObject, type HjsonValue, parseHjson } from './hjson.js';
import { classOf, isObject, readMembers, unknownKind } from './member-handlers.js';
import { clientDefinitionOf, hasClientId, readClientDraft } from './oidc-service.js';
import { type FileNote, ServiceDraft } from './service-draft.js';

const CLASSES = new Set(['RegexRegisteredService', 'CasRegisteredService']);
/** The class of old files whose `serviceId` is no regular expression. */
const ANT_PATTERNS = 'RegisteredServiceImpl';
/** Apereo's locator of services passes over these when it looks for one of CAS. */
const OTHER_PROTOCOLS = new Map([
  ['OAuthCallbackAuthorizeService', 'OAuth'],
  ['SamlRegisteredService', 'SAML'],
  ['WSFederationRegisteredService', 'WS-Federation'],
]);
/** Clients, which take no part in CAS. */
const CLIENTS = new Set(['OidcRegisteredService', 'OAuthRegisteredService']);
/** Matches anywhere in a URL. */
const PARTIAL_MATCH = 'PartialRegexRegisteredServiceMatchingStrategy';
/** Apereo's defaults. */
const DEFAULTS = { evaluationOrder: 0, logoutType: 'back' };

/** The service of a file, and the result for each member of the file. */
export interface ReadService {
  readonly importId: string | null;
  /** Disabled where a member was not understood. */
  readonly definition: ServiceDefinition;
  /** Of a client, in clear: for no report. */
  readonly secrets?: readonly string[];
  /** The key of pseudonyms, where the file defines it: for no report. */
  readonly pseudonymSalt?: string | undefined;
  readonly taken: readonly string[];
  readonly withoutEffect: readonly FileNote[];
  readonly notUnderstood: readonly FileNote[];
}

/** The reason why a file defines no service, not even a disabled one. */
export interface Refusal {
  readonly refusal: string;
  /** The service of the file, where it has a pattern. */
  readonly service?: Pick<ServiceDefinition, 'serviceId' | 'name' | 'evaluationOrder'>;
  /** A disabled service that closes the URLs of the file, where its pattern and its order can be read. */
  readonly closing?: ServiceImport;
  /** False where the file is known to be open to everybody. */
  readonly mayClose: boolean;
}

/** A definition that takes no part in the matching of CAS services. */
export interface OtherProtocol {
  /** What it is, for people. */
  readonly ignored: string;
  readonly importId: string | null;
}

/** The members that decide which URLs to refuse. */
const REQUIRED_MEMBERS = new Set(['serviceId', 'evaluationOrder', 'matchingStrategy']);

/** @param fallbackName the name of a service without a valid one */
export function readServiceText(
  text: string,
  fallbackName: string,
): ReadService | Refusal | OtherProtocol {
  try {
    return readApereoService(parseHjson(text), fallbackName);
  } catch (error) {
    if (!(error instanceof HjsonError)) throw error;
    return { refusal: `is not JSON: ${error.message}`, mayClose: true };
  }
}

/** @param fallbackName the name of a service without a valid one */
export function readApereoService(
  value: HjsonValue,
  fallbackName: string,
): ReadService | Refusal | OtherProtocol {
  if (!isObject(value)) return { refusal: 'is not a service', mayClose: false };
  if (CLIENTS.has(classOf(value) ?? '')) return readClient(value, fallbackName);
  const draft = draftOf(value);
  const protocol = OTHER_PROTOCOLS.get(classOf(value) ?? '');
  if (protocol !== undefined) {
    const ignored = `is a definition of ${protocol}, which is not here: it opens and closes no URL of CAS services`;
    return { ignored, importId: draft.importId };
  }
  const given = draft.fields['serviceId'];
  const fields = { ...DEFAULTS, name: fallbackName, ...draft.fields };
  const { definition, violations } = inspectDefinition(fields);
  for (const { field: path, reason } of violations) {
    const [name = path] = path.split('.');
    draft.refuse(name, path.slice(name.length), reason);
  }
  const { importId, taken, withoutEffect, notUnderstood } = draft;
  const fatal = notUnderstood.filter(({ member }) => REQUIRED_MEMBERS.has(member));
  if (fatal.length > 0) {
    const others = notUnderstood.length - fatal.length;
    return {
      ...refusalOf(fatal, typeof given === 'string' ? { ...definition, serviceId: given } : null),
      ...closingBy(fatal, value, { importId, definition }),
      mayClose: others > 0 || isRestricted(definition),
    };
  }
  const enabled = definition.enabled && notUnderstood.length === 0;
  return { importId, definition: { ...definition, enabled }, taken, withoutEffect, notUnderstood };
}

function readClient(value: HjsonObject, fallbackName: string): ReadService | OtherProtocol {
  if (!hasClientId(value)) {
    const { importId } = draftOf(value);
    return { ignored: 'has no clientId that a client could use', importId };
  }
  const draft = readClientDraft(value);
  const definition = clientDefinitionOf(draft, fallbackName);
  const { importId, secrets, pseudonymSalt, taken, withoutEffect, notUnderstood } = draft;
  const enabled = definition.enabled && notUnderstood.length === 0;
  const read = { importId, definition: { ...definition, enabled }, secrets, pseudonymSalt };
  return { ...read, taken, withoutEffect, notUnderstood };
}

/** Whether a definition refuses anybody. */
export function isRestricted(definition: ServiceDefinition): boolean {
  return !definition.enabled || hasAttributeRules(definition);
}

function refusalOf(
  [first]: readonly FileNote[],
  definition: ServiceDefinition | null,
): Pick<Refusal, 'refusal' | 'service'> {
  const refusal = `${first?.member} ${first?.reason}`;
  if (definition === null) return { refusal };
  const { serviceId, name, evaluationOrder } = definition;
  return { refusal, service: { serviceId, name, evaluationOrder } };
}

/** Empty unless the way of matching alone is not understood. */
function closingBy(
  fatal: readonly FileNote[],
  file: HjsonObject,
  { importId, definition }: ServiceImport,
): Pick<Refusal, 'closing'> {
  if (fatal.some(({ member }) => member !== 'matchingStrategy')) return {};
  const strategy = file.get('matchingStrategy') ?? null;
  const isPartial = isObject(strategy) && classOf(strategy) === PARTIAL_MATCH;
  const serviceId = isPartial ? `.*(?:${definition.serviceId}).*` : definition.serviceId;
  if (fieldViolation('serviceId', serviceId) !== undefined) return {};
  return { closing: { importId, definition: { ...definition, serviceId, enabled: false } } };
}

/** Of a service of an unknown class, reads only the members that refuse its URLs. */
function draftOf(value: HjsonObject): ServiceDraft {
  const draft = new ServiceDraft();
  if (CLASSES.has(classOf(value) ?? '')) {
    readMembers(value, MEMBERS, draft);
    return draft;
  }
  if (classOf(value) === ANT_PATTERNS) {
    draft.addNotUnderstood(
      'serviceId',
      'is an Ant pattern, no regular expression: write the file as a RegexRegisteredService',
    );
  }
  draft.addNotUnderstood('@class', `${unknownKind(value)}: its URLs are refused`);
  readMembers(value, COMMON_MEMBERS, draft);
  return draft;
}
