// Validates service definitions, for the store, the import and the command line.
import { EXPIRY_RULE, parseExpiry } from '@tessera/runtime';
import { clientDefinition, clientId, redirectUriPatternsOf } from './client-definition.js';
import {
  isRecord,
  listOf,
  integer,
  oneOf,
  recordOf,
  type Report,
  type Rule,
  text,
  bool,
} from './field-rules.js';
import { listedUrls } from './logout-urls.js';
import { literalValue } from './matching/attribute-patterns.js';
import { areTooLarge, compilePattern } from './matching/compiled-pattern.js';
import { beginningsOf } from './matching/pattern-overlap.js';
import { servicePattern } from './matching/service-pattern.js';
import {
  type AttributePatterns,
  type AttributeRelease,
  type LetterCase,
  type NewService,
  type ProxyPolicy,
  SERVICE_DEFAULTS,
  type ServiceDefinition,
  type UsernameAttribute,
} from './registered-service.js';
import { type FieldViolation, InvalidServiceError, ServiceError } from './service-error.js';

const MAX_ATTRIBUTES = 200;
const attributeName = text({ minLength: 1, maxLength: 255 });
const attributeNames = listOf(attributeName, MAX_ATTRIBUTES);
const attributeMap = recordOf(attributeNames, MAX_ATTRIBUTES);
const REFUSE_PROXYING = SERVICE_DEFAULTS.proxyPolicy;
const pattern = text({ minLength: 1, maxLength: 2_000 });
const urlText = text({ minLength: 1, maxLength: 2_000 });
/** The beginning of all matches of a pattern of redirect URIs: https with a host, or http with a loopback host. */
const WITH_HOST =
  /^(?:https:\/\/[^/?#@]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)[/?]/;
const valuePatterns = recordOf(listOf(text({ maxLength: 2_000 }), 1_000), MAX_ATTRIBUTES);

/** Of an object with a field `kind`. */
const kindOf =
  <T extends string>(...kinds: readonly T[]): Rule<T> =>
  (value, report) =>
    oneOf(...kinds)(value, (reason) => report(reason, 'kind'));

const attributeRelease: Rule<AttributeRelease> = (value, report) => {
  const { kind: given, names, excluded } = isRecord(value) ? value : {};
  const kind = kindOf('none', 'all', 'allowed', 'mapped')(given, report);
  if (kind === 'all' && excluded !== undefined) {
    return { kind, excluded: attributeNames(excluded, report) };
  }
  if (excluded !== undefined) report('is for kind all', 'excluded');
  if (kind === 'allowed') return { kind, names: attributeNames(names, report) };
  if (kind === 'mapped') return { kind, names: attributeMap(names, report) };
  return { kind };
};

/** Their compilation is limited by their texts: rows that other programs wrote are compiled at their first use. */
const attributePatterns: Rule<AttributePatterns> = (value, report) => {
  const read = valuePatterns(value, report);
  const patterns = Object.values(read)
    .flat()
    .filter((each) => literalValue(each) === undefined);
  if (areTooLarge(patterns)) {
    report('has too many patterns, or too large ones: list values instead, or repeat less');
  }
  return read;
};

const lettersOf: Rule<LetterCase> = (value, report) =>
  oneOf('lower', 'upper')(value, (reason) => report(reason, 'letterCase'));

const usernameAttribute: Rule<UsernameAttribute> = (value, report) => {
  const { kind: given, name, letterCase } = isRecord(value) ? value : {};
  const kind = kindOf('principal', 'attribute', 'anonymous')(given, report);
  if (kind === 'anonymous') {
    if (letterCase !== undefined) report('is not for a pseudonym', 'letterCase');
    return { kind };
  }
  const letters = letterCase === undefined ? {} : { letterCase: lettersOf(letterCase, report) };
  return kind === 'attribute'
    ? { kind, name: attributeName(name, report), ...letters }
    : { kind, ...letters };
};

const proxyPolicy: Rule<ProxyPolicy> = (value, report) => {
  const { kind: given, pattern: callbacks } = isRecord(value) ? value : {};
  const kind = kindOf('refuse', 'pattern')(given, report);
  return kind === 'pattern' ? { kind, pattern: pattern(callbacks, report) } : { kind };
};

const expiry: Rule<string | null> = (value, report) => {
  if (value === null) return null;
  const time = typeof value === 'string' ? parseExpiry(value) : undefined;
  if (time === undefined) report(`must be ${EXPIRY_RULE}`);
  return time?.toISOString() ?? null;
};

/** The settings allow no longer lifetimes. */
const lifetime: Rule<number | null> = (value, report) =>
  value === null ? null : integer(1, 3_600)(value, report);

/** Each URL of a list. A host with a comma is the rest of a list whose other URL is none. */
const httpUrls: Rule<string | null> = (value, report) => {
  if (value === null) return null;
  const list = urlText(value, report);
  for (const address of listedUrls(list)) {
    inspectUrl(address, 'must be an http or https URL, or several, separated by commas', report);
  }
  return list;
};

const redirectUrl: Rule<string | null> = (value, report) => {
  if (value === null) return null;
  const address = urlText(value, report);
  const rule = 'must be an http or https URL';
  // Browsers read it as a slash.
  if (address.includes('\\')) report(rule);
  else inspectUrl(address, rule, report);
  return address;
};

/** @param rule for what is no URL */
function inspectUrl(address: string, rule: string, report: Report): void {
  const url = URL.parse(address);
  if (!/^https?:\/\//i.test(address) || !url || url.hostname.includes(',')) report(rule);
  else if (url.username || url.password) report('must not hold a user name or password');
}

const properties: Rule<ServiceDefinition['properties']> = (value, report) => {
  const read = recordOf(text({ maxLength: 2_000 }), 100)(value, report);
  if (Object.hasOwn(read, 'dialect')) {
    oneOf('documented', 'apereo')(read['dialect'], (reason) => report(reason, 'dialect'));
  }
  return read;
};

const RULES: { readonly [F in keyof ServiceDefinition]: Rule<ServiceDefinition[F]> } = {
  serviceId: (value, report) => (value === null ? null : pattern(value, report)),
  clientId,
  client: clientDefinition,
  name: text({ minLength: 1, maxLength: 255 }),
  description: text({ maxLength: 2_000, multiline: true }),
  evaluationOrder: integer(-2_147_483_648, 2_147_483_647),
  enabled: bool,
  expiresAt: expiry,
  ssoEnabled: bool,
  requiredAttributes: attributePatterns,
  requireAllAttributes: bool,
  rejectedAttributes: attributePatterns,
  unauthorizedRedirectUrl: redirectUrl,
  attributeRelease,
  defaultAttributes: bool,
  releasedValues: attributePatterns,
  protocolAttributes: bool,
  usernameAttribute,
  proxyPolicy,
  responseType: oneOf('redirect', 'post'),
  serviceTicketLifetime: lifetime,
  proxyTicketLifetime: lifetime,
  logoutType: oneOf('none', 'back', 'front'),
  logoutUrl: httpUrls,
  properties,
};

/** The result of validating an input. The definition is complete if there are no violations. */
export interface Inspection {
  /** Invalid fields have their defaults, which allow nothing and release nothing. */
  readonly definition: ServiceDefinition;
  readonly violations: readonly FieldViolation[];
}

/**
 * Validates fields of any origin, but does not compile patterns, which is costly. Missing or undefined fields have their
 * defaults. Unknown fields are violations.
 */
export function inspectFields(input: Readonly<Record<string, unknown>>): Inspection {
  const violations: FieldViolation[] = Object.keys(input)
    .filter((field) => !Object.hasOwn(RULES, field))
    .map((field) => ({ field, reason: 'is no field of a service' }));
  const definition: ServiceDefinition = { name: '', ...SERVICE_DEFAULTS };
  for (const field of Object.keys(RULES) as (keyof ServiceDefinition)[]) {
    const before = violations.length;
    const value = input[field] === undefined ? definition[field] : input[field];
    const read = RULES[field](value, (reason, key) =>
      violations.push({ field: key === undefined ? field : `${field}.${key}`, reason }),
    );
    if (violations.length === before) Object.assign(definition, { [field]: read });
  }
  const invalid = new Set(violations.map(({ field }) => field.split('.')[0]));
  const missing = missingPart((part) => definition[part] !== null || invalid.has(part));
  if (missing !== undefined) violations.push({ field: missing, reason: 'must not be empty' });
  return { definition, violations };
}

type Part = 'serviceId' | 'clientId' | 'client';

/** A service takes part in CAS, in OpenID Connect, or in both. */
function missingPart(isGiven: (part: Part) => boolean): Part | undefined {
  if (!isGiven('clientId')) {
    if (isGiven('client')) return 'clientId';
    return isGiven('serviceId') ? undefined : 'serviceId';
  }
  return isGiven('client') ? undefined : 'client';
}

/** As {@link inspectFields}, and compiles the patterns. */
export function inspectDefinition(input: Readonly<Record<string, unknown>>): Inspection {
  const { definition, violations } = inspectFields(input);
  const policy = definition.proxyPolicy;
  const { serviceId } = definition;
  const serviceViolations = serviceId === null ? [] : patternViolations('serviceId', serviceId);
  const proxyViolations =
    policy.kind === 'pattern' ? patternViolations('proxyPolicy', policy.pattern) : [];
  return {
    definition:
      proxyViolations.length === 0 ? definition : { ...definition, proxyPolicy: REFUSE_PROXYING },
    violations: [
      ...violations,
      ...serviceViolations,
      ...redirectPatternViolations(input['client']),
      ...proxyViolations,
      ...valueViolations('requiredAttributes', definition.requiredAttributes),
      ...valueViolations('rejectedAttributes', definition.rejectedAttributes),
      ...valueViolations('releasedValues', definition.releasedValues),
    ],
  };
}

/** @param client of the input: it may have other violations */
function redirectPatternViolations(client: unknown): readonly FieldViolation[] {
  const field = 'client.redirectUriPatterns';
  return redirectUriPatternsOf(client).flatMap((each) => {
    const violations = patternViolations(field, each);
    const isOfHosts =
      violations.length > 0 || beginningsOf(each).every((start) => WITH_HOST.test(start));
    return isOfHosts
      ? violations
      : [{ field, reason: 'must begin with https://, a host without wildcards, and /' }];
  });
}

/** An invalid pattern stays in the definition: it admits nobody. */
function valueViolations(field: string, patterns: AttributePatterns): readonly FieldViolation[] {
  return Object.entries(patterns).flatMap(([name, texts]) =>
    texts
      .filter((each) => literalValue(each) === undefined)
      .flatMap((each) =>
        compileViolations(`${field}.${name}`, () => compilePattern(each, { ignoreCase: false })),
      ),
  );
}

/** The first violation of one field, or undefined. A missing value is a violation. */
export function fieldViolation(field: keyof ServiceDefinition, value: unknown): string | undefined {
  const reasons: string[] = [];
  RULES[field](value, (reason) => reasons.push(reason));
  if (field === 'serviceId' && typeof value === 'string' && reasons.length === 0) {
    reasons.push(...patternViolations(field, value).map(({ reason }) => reason));
  }
  return reasons[0];
}

/**
 * Completes a definition with the defaults.
 *
 * @throws {InvalidServiceError} with all violations of all fields
 */
export function readDefinition(input: NewService): ServiceDefinition {
  const { definition, violations } = inspectDefinition({ ...input });
  if (violations.length > 0) throw new InvalidServiceError(violations);
  return definition;
}

function patternViolations(field: string, candidate: string): readonly FieldViolation[] {
  return compileViolations(field, () => servicePattern(candidate));
}

function compileViolations(field: string, compile: () => unknown): readonly FieldViolation[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return [{ field, reason: error.message }];
    throw error;
  }
}
