// What makes a definition of a service valid. The store, the import and the command line all ask
// here, so that each says the same about the same fault.
import {
  isRecord,
  listOf,
  integer,
  oneOf,
  recordOf,
  type Rule,
  text,
  truth,
} from './field-rules.js';
import { servicePattern } from './matching/service-pattern.js';
import {
  type AttributeRelease,
  type NewService,
  type ProxyPolicy,
  SERVICE_DEFAULTS,
  type ServiceDefinition,
  type UsernameAttribute,
} from './registered-service.js';
import { type FieldFault, InvalidServiceError, ServiceError } from './service-error.js';

const MOST_ATTRIBUTES = 200;
const attributeName = text({ atLeast: 1, atMost: 255 });
const attributeValues = listOf(text({ atMost: 1_000 }), 1_000);
const attributeNames = listOf(attributeName, MOST_ATTRIBUTES);
const attributeMap = recordOf(attributeNames, MOST_ATTRIBUTES);
const REFUSE = SERVICE_DEFAULTS.proxyPolicy;
const pattern = text({ atLeast: 1, atMost: 2_000 });

const attributeRelease: Rule<AttributeRelease> = (value, report) => {
  const { kind: given, names } = isRecord(value) ? value : {};
  const kind = oneOf('none', 'all', 'allowed', 'mapped')(given, report);
  if (kind === 'allowed') return { kind, names: attributeNames(names, report) };
  if (kind === 'mapped') return { kind, names: attributeMap(names, report) };
  return { kind };
};

const usernameAttribute: Rule<UsernameAttribute> = (value, report) => {
  const { kind: given, name } = isRecord(value) ? value : {};
  const kind = oneOf('principal', 'attribute', 'anonymous')(given, report);
  return kind === 'attribute' ? { kind, name: attributeName(name, report) } : { kind };
};

const proxyPolicy: Rule<ProxyPolicy> = (value, report) => {
  const { kind: given, pattern: callbacks } = isRecord(value) ? value : {};
  const kind = oneOf('refuse', 'pattern')(given, report);
  return kind === 'pattern' ? { kind, pattern: pattern(callbacks, report) } : { kind };
};

const webAddress: Rule<string | null> = (value, report) => {
  if (value === null) return null;
  const address = text({ atLeast: 1, atMost: 2_000 })(value, report);
  const url = URL.parse(address);
  if (!/^https?:\/\//i.test(address) || !url) report('must be an http or https URL');
  else if (url.username || url.password) report('must not hold a user name or password');
  return address;
};

const properties: Rule<ServiceDefinition['properties']> = (value, report) => {
  const read = recordOf(text({ atMost: 2_000 }), 100)(value, report);
  if (Object.hasOwn(read, 'dialect')) {
    oneOf('documented', 'apereo')(read['dialect'], (reason) => report(reason, 'dialect'));
  }
  return read;
};

const RULES: { readonly [F in keyof ServiceDefinition]: Rule<ServiceDefinition[F]> } = {
  serviceId: pattern,
  name: text({ atLeast: 1, atMost: 255 }),
  description: text({ atMost: 2_000, lines: true }),
  evaluationOrder: integer(-2_147_483_648, 2_147_483_647),
  enabled: truth,
  ssoEnabled: truth,
  requiredAttributes: recordOf(attributeValues, MOST_ATTRIBUTES),
  attributeRelease,
  usernameAttribute,
  proxyPolicy,
  logoutType: oneOf('none', 'back', 'front'),
  logoutUrl: webAddress,
  properties,
};

/** What was found in an input: a definition to rely on if there is no fault. */
export interface Inspection {
  /** Fields at fault have their defaults, which allow nothing and release nothing. */
  readonly definition: ServiceDefinition;
  readonly faults: readonly FieldFault[];
}

/**
 * Reads fields of any origin, patterns apart: whether they are patterns is costly to say. Fields
 * that are left out (or undefined) have their defaults; unknown ones are faults.
 */
export function inspectFields(input: Readonly<Record<string, unknown>>): Inspection {
  const faults: FieldFault[] = Object.keys(input)
    .filter((field) => !Object.hasOwn(RULES, field))
    .map((field) => ({ field, reason: 'is no field of a service' }));
  const definition = { serviceId: '', name: '', ...SERVICE_DEFAULTS };
  for (const field of Object.keys(RULES) as (keyof ServiceDefinition)[]) {
    const before = faults.length;
    const value = input[field] === undefined ? definition[field] : input[field];
    const read = RULES[field](value, (reason, key) =>
      faults.push({ field: key === undefined ? field : `${field}.${key}`, reason }),
    );
    if (faults.length === before) Object.assign(definition, { [field]: read });
  }
  return { definition, faults };
}

/** {@link inspectFields}, patterns included. */
export function inspectDefinition(input: Readonly<Record<string, unknown>>): Inspection {
  const { definition, faults } = inspectFields(input);
  const policy = definition.proxyPolicy;
  const serviceFaults = patternFaults('serviceId', definition.serviceId);
  const proxyFaults = policy.kind === 'pattern' ? patternFaults('proxyPolicy', policy.pattern) : [];
  return {
    definition: proxyFaults.length === 0 ? definition : { ...definition, proxyPolicy: REFUSE },
    faults: [...faults, ...serviceFaults, ...proxyFaults],
  };
}

/**
 * Completes a definition with the defaults.
 *
 * @throws {InvalidServiceError} with every fault of every field
 */
export function readDefinition(input: NewService): ServiceDefinition {
  const { definition, faults } = inspectDefinition({ ...input });
  if (faults.length > 0) throw new InvalidServiceError(faults);
  return definition;
}

function patternFaults(field: string, candidate: string): readonly FieldFault[] {
  try {
    servicePattern(candidate);
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return [{ field, reason: error.message }];
    throw error;
  }
}
