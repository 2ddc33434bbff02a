// Rules for services that people write. Imported files are exempt: their patterns may look like globs.
import { regularExpressionForGlob } from './matching/glob.js';
import { overlapsWith } from './matching/pattern-overlap.js';
import { inEvaluationOrder } from './matching/service-snapshot.js';
import { forEachYielding } from './matching/yield-to-event-loop.js';
import type { ServiceOutline } from './registry/service-store.js';
import type { RegisteredService, ServiceDefinition } from './registered-service.js';
import { type FieldViolation, InvalidServiceError } from './service-error.js';

type PatternAndOrder = Pick<RegisteredService, 'id' | 'serviceId' | 'evaluationOrder'>;
type Patterns = Partial<Pick<ServiceDefinition, 'serviceId' | 'proxyPolicy'>>;

/**
 * Refuses patterns that are written as globs.
 * @param stored the patterns before a change, which may stay
 * @throws InvalidServiceError
 */
export function refuseGlobs(given: Patterns, stored: Patterns = {}): void {
  const before = globsIn(stored).map(({ reason }) => reason);
  const violations = globsIn(given).filter(({ reason }) => !before.includes(reason));
  if (violations.length > 0) throw new InvalidServiceError(violations);
}

/** The patterns that are written as globs. */
export function globsIn(given: Patterns): readonly FieldViolation[] {
  return Object.entries(patternsOf(given)).flatMap(([field, pattern]) =>
    globViolations(field, pattern),
  );
}

function patternsOf({ serviceId, proxyPolicy }: Patterns): Readonly<Record<string, string>> {
  return {
    ...(typeof serviceId === 'string' && { serviceId }),
    ...(proxyPolicy?.kind === 'pattern' && { proxyPolicy: proxyPolicy.pattern }),
  };
}

function globViolations(field: string, pattern: string): readonly FieldViolation[] {
  const meant = regularExpressionForGlob(pattern);
  if (meant === undefined) return [];
  const reason = `must be a regular expression, and ${pattern} looks like a glob: did you mean ${meant}?`;
  return [{ field, reason }];
}

/**
 * Refuses the pattern and the order of another service, because only one of the two could match. Call it after the change, in
 * its transaction: changes of services wait for each other, so another one cannot come in between.
 * @param before the service before the change; what was a duplicate then may stay one
 * @throws InvalidServiceError
 */
export function refuseDuplicate(
  changed: PatternAndOrder,
  registered: readonly (PatternAndOrder & Pick<RegisteredService, 'name'>)[],
  before?: PatternAndOrder,
): void {
  if (before !== undefined && isDuplicate(changed, before)) return;
  const same = registered.find((each) => each.id !== changed.id && isDuplicate(changed, each));
  if (same === undefined) return;
  const reason =
    `and evaluationOrder are those of service ${same.id}, ${JSON.stringify(same.name)}: ` +
    'change that service, or give another evaluationOrder';
  throw new InvalidServiceError([{ field: 'serviceId', reason }]);
}

/**
 * The first service of an operator that would come after the added one, and may match URLs of it. Such a registration over
 * REST could open what the other service closes, or close what it opens.
 * @param registered all services, with the added one
 */
export async function findOvertaken(
  added: RegisteredService,
  registered: readonly ServiceOutline[],
): Promise<ServiceOutline | undefined> {
  const ordered = inEvaluationOrder(registered);
  const later = ordered.slice(ordered.findIndex(({ id }) => id === added.id) + 1);
  if (added.serviceId === null) return undefined;
  const mayOverlap = overlapsWith(added.serviceId);
  const overtaken: ServiceOutline[] = [];
  await forEachYielding(later, (service) => {
    const { serviceId, registeredOverRest } = service;
    if (serviceId !== null && !registeredOverRest && mayOverlap(serviceId)) overtaken.push(service);
  });
  return overtaken[0];
}

function isDuplicate(one: PatternAndOrder, other: PatternAndOrder): boolean {
  return (
    one.serviceId !== null &&
    one.serviceId === other.serviceId &&
    one.evaluationOrder === other.evaluationOrder
  );
}
