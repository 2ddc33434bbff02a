// Decides whether a principal may use a service.
import { compiledPatterns, newBudget, type Verdict } from './matching/attribute-patterns.js';
import { type Principal, valuesOf } from './principal.js';
import type { AttributePatterns, RegisteredService } from './registered-service.js';

type AttributeRules = Pick<
  RegisteredService,
  'requiredAttributes' | 'requireAllAttributes' | 'rejectedAttributes'
>;

type Availability = Pick<RegisteredService, 'enabled' | 'expiresAt'>;

/** Whether the service may be used. @param now milliseconds since 1970 */
export function isEnabled({ enabled, expiresAt }: Availability, now: number): boolean {
  return enabled && (expiresAt === null || now < Date.parse(expiresAt));
}

/**
 * True when the service is enabled, and its rules on attributes admit the principal. Compares names exactly. What cannot be
 * decided refuses: an invalid pattern, a value that would take too long.
 * @param now milliseconds since 1970
 */
export function isAuthorised(
  service: Availability & AttributeRules,
  principal: Principal,
  now: number,
): boolean {
  return (
    isEnabled(service, now) &&
    isEmpty(missingAttributes(service, principal)) &&
    isEmpty(rejectingAttributes(service, principal))
  );
}

/** Whether the attributes of a principal count. */
export function hasAttributeRules(service: AttributeRules): boolean {
  return !isEmpty(service.requiredAttributes) || !isEmpty(service.rejectedAttributes);
}

/**
 * The required attributes of which the principal has no value that matches; all of them where one is enough and the
 * principal has none. All too, as in Apereo CAS, where the principal has fewer attributes than the service requires.
 */
export function missingAttributes(
  { requiredAttributes, requireAllAttributes }: AttributeRules,
  principal: Principal,
): AttributePatterns {
  if (isEmpty(requiredAttributes)) return requiredAttributes;
  if (hasFewerAttributes(principal, requiredAttributes)) return requiredAttributes;
  const missing = attributesWhere(requiredAttributes, principal, (verdict) => verdict !== 'match');
  const isOneThere = countOf(missing) < countOf(requiredAttributes);
  return !requireAllAttributes && isOneThere ? {} : missing;
}

/**
 * The rejected attributes of which the principal may have a value. All of them, as in Apereo CAS, where the principal has
 * fewer attributes than the service rejects: too little is known.
 */
export function rejectingAttributes(
  { rejectedAttributes }: AttributeRules,
  principal: Principal,
): AttributePatterns {
  if (isEmpty(rejectedAttributes)) return rejectedAttributes;
  if (hasFewerAttributes(principal, rejectedAttributes)) return rejectedAttributes;
  return attributesWhere(rejectedAttributes, principal, (verdict) => verdict !== 'no match');
}

function attributesWhere(
  patterns: AttributePatterns,
  principal: Principal,
  holds: (verdict: Verdict) => boolean,
): AttributePatterns {
  const budget = newBudget();
  const compiled = compiledPatterns(patterns);
  const found = Object.entries(patterns).filter(([name]) => {
    const verdict = compiled.get(name)?.judgeAny(valuesOf(principal, name), budget);
    return holds(verdict ?? 'unknown');
  });
  return Object.fromEntries(found);
}

function hasFewerAttributes({ attributes }: Principal, patterns: AttributePatterns): boolean {
  return countOf(attributes) < countOf(patterns);
}

function isEmpty(attributes: object): boolean {
  return countOf(attributes) === 0;
}

function countOf(attributes: object): number {
  return Object.keys(attributes).length;
}
