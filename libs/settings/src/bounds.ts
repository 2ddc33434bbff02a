// Decorators that limit the value of one setting.
import { prototypeChain } from './setting.js';

/** The message of a violation, which continues the key; undefined for a valid value. */
type Check<V> = (value: V) => string | undefined;

/** A decorator of properties with such values. */
type Bound<V> = <T extends object, P extends keyof T & string>(
  target: T,
  property: P & (T[P] extends V | undefined ? unknown : never),
) => void;

/** By the prototype of a settings class, then by property. */
const checks = new WeakMap<object, Map<string, readonly Check<never>[]>>();

/** The value is at least this number. */
export function Min(least: number): Bound<number> {
  return bounded((value: number) => (value < least ? `must not be less than ${least}` : undefined));
}

/** The value is at most this number. */
export function Max(greatest: number): Bound<number> {
  return bounded((value: number) =>
    value > greatest ? `must not be greater than ${greatest}` : undefined,
  );
}

/** @param message continues the key: `must be the name of a header` */
export function Matches(pattern: RegExp, message: string): Bound<string> {
  return bounded((value: string) => (pattern.test(value) ? undefined : message));
}

/** The text has at least one character. */
export function NotEmpty(): Bound<string> {
  return bounded((value: string) => (value === '' ? 'must not be empty' : undefined));
}

/** The first violated bound of each property, as a message. Undefined values are valid. */
export function violatedBounds(holder: object): ReadonlyMap<string, string> {
  const violations = new Map<string, string>();
  for (const target of prototypeChain(holder)) {
    for (const [property, ofProperty] of checks.get(target) ?? []) {
      const violation = firstViolation(Reflect.get(holder, property), ofProperty);
      if (violation !== undefined) violations.set(property, violations.get(property) ?? violation);
    }
  }
  return violations;
}

function firstViolation(value: unknown, ofProperty: readonly Check<never>[]): string | undefined {
  if (value === undefined) return undefined;
  return ofProperty.map((check) => check(value as never)).find((message) => message !== undefined);
}

function bounded<V>(check: Check<V>): Bound<V> {
  return (target, property) => {
    const ofClass = checks.get(target) ?? new Map<string, readonly Check<never>[]>();
    checks.set(target, ofClass.set(property, [...(ofClass.get(property) ?? []), check]));
  };
}
