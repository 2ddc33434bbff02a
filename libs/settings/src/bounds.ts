// Owns the decorators that bound the value of one setting. Rules between settings are the settings' own.
import { prototypeChain } from './prototype-chain.js';

/** What is wrong with a value: reads on from the key. */
type Check<V> = (value: V) => string | undefined;

/** A decorator of properties that hold such values. */
type Bound<V> = <T extends object, P extends keyof T & string>(
  target: T,
  property: P & (T[P] extends V | undefined ? unknown : never),
) => void;

/** By the prototype of a settings class, and there by property. */
const checks = new WeakMap<object, Map<string, readonly Check<never>[]>>();

/** The number is the least that the value may be. */
export function Min(least: number): Bound<number> {
  return bounded((value: number) => (value < least ? `must not be less than ${least}` : undefined));
}

/** The number is the greatest that the value may be. */
export function Max(greatest: number): Bound<number> {
  return bounded((value: number) =>
    value > greatest ? `must not be greater than ${greatest}` : undefined,
  );
}

/** @param complaint reads on from the key: `must be the name of a header` */
export function Matches(pattern: RegExp, complaint: string): Bound<string> {
  return bounded((value: string) => (pattern.test(value) ? undefined : complaint));
}

/** The text has at least one character. */
export function NotEmpty(): Bound<string> {
  return bounded((value: string) => (value === '' ? 'must not be empty' : undefined));
}

/** What is wrong with the values of an object, by property. One that is undefined keeps to all bounds. */
export function boundsFaults(holder: object): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const target of prototypeChain(holder)) {
    for (const [property, ofProperty] of checks.get(target) ?? []) {
      const fault = faultOf(Reflect.get(holder, property), ofProperty);
      if (fault !== undefined) faults.set(property, faults.get(property) ?? fault);
    }
  }
  return faults;
}

/** The first. */
function faultOf(value: unknown, ofProperty: readonly Check<never>[]): string | undefined {
  if (value === undefined) return undefined;
  return ofProperty.map((check) => check(value as never)).find((fault) => fault !== undefined);
}

function bounded<V>(check: Check<V>): Bound<V> {
  return (target, property) => {
    const ofClass = checks.get(target) ?? new Map<string, readonly Check<never>[]>();
    checks.set(target, ofClass.set(property, [...(ofClass.get(property) ?? []), check]));
  };
}
