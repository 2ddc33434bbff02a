// Rules for services that people write. Imported files are exempt: their patterns may look like globs.
import { regularExpressionForGlob } from './matching/glob.js';
import type { RegisteredService, ServiceDefinition } from './registered-service.js';
import { type FieldViolation, InvalidServiceError } from './service-error.js';

type Patterns = Partial<Pick<ServiceDefinition, 'serviceId' | 'proxyPolicy'>>;

/**
 * Refuses patterns that are written as globs.
 * @param stored the patterns before a change, which may stay
 * @throws InvalidServiceError
 */
export function refuseGlobs(given: Patterns, stored: Patterns = {}): void {
  const before = patternsOf(stored);
  const violations = Object.entries(patternsOf(given)).flatMap(([field, pattern]) =>
    pattern === before[field] ? [] : globViolations(field, pattern),
  );
  if (violations.length > 0) throw new InvalidServiceError(violations);
}

function patternsOf({ serviceId, proxyPolicy }: Patterns): Readonly<Record<string, string>> {
  return {
    ...(serviceId !== undefined && { serviceId }),
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
  changed: RegisteredService,
  registered: readonly RegisteredService[],
  before?: RegisteredService,
): void {
  if (before !== undefined && isDuplicate(changed, before)) return;
  const same = registered.find((each) => each.id !== changed.id && isDuplicate(changed, each));
  if (same === undefined) return;
  const reason =
    `and evaluationOrder are those of service ${same.id}, ${JSON.stringify(same.name)}: ` +
    'change that service, or give another evaluationOrder';
  throw new InvalidServiceError([{ field: 'serviceId', reason }]);
}

function isDuplicate(one: RegisteredService, other: RegisteredService): boolean {
  return one.serviceId === other.serviceId && one.evaluationOrder === other.evaluationOrder;
}
