// Attribute release: the user name and the attributes that a service gets.
import { compiledPatterns, newBudget } from './matching/attribute-patterns.js';
import { type Attributes, type Principal, valuesOf } from './principal.js';
import { pseudonymOf } from './pseudonyms.js';
import { EVERY_ATTRIBUTE, type LetterCase, type RegisteredService } from './registered-service.js';

type Releasing = Pick<
  RegisteredService,
  | 'attributeRelease'
  | 'defaultAttributes'
  | 'releasedValues'
  | 'usernameAttribute'
  | 'pseudonymSalt'
>;

/**
 * The principal for this service. A user name from an attribute is the first value of the attribute that is released under
 * this name, or else of the user's own, or else the principal's id. A pseudonym is the same for the same service and
 * principal, and unrelated between services. A value that cannot be judged within the steps of a decision is not released.
 *
 * @param byDefault names of attributes for every service that takes part
 */
export function release(
  service: Releasing,
  principal: Principal,
  byDefault: readonly string[] = [],
): Principal {
  const released = releasedAttributes(service, principal);
  const getsDefaults = service.defaultAttributes && byDefault.length > 0;
  const all = getsDefaults
    ? { ...namedAttributes(service, principal, byDefault), ...released }
    : released;
  const attributes = releasedValues(service, all);
  return { id: releasedId(service, principal, { ...principal, attributes }), attributes };
}

/**
 * Whether the user has a user name for this service: not where the principal's id stands for an attribute without a value.
 *
 * @param released the principal that {@link release} has for the service
 */
export function hasUserName(
  { usernameAttribute }: Pick<Releasing, 'usernameAttribute'>,
  principal: Principal,
  released: Principal,
): boolean {
  return (
    usernameAttribute.kind !== 'attribute' ||
    Boolean(namedIn(usernameAttribute.name, released, principal))
  );
}

function namedIn(name: string, released: Principal, principal: Principal): string | undefined {
  return valuesOf(released, name)[0] ?? valuesOf(principal, name)[0];
}

function releasedId(service: Releasing, principal: Principal, released: Principal): string {
  const { usernameAttribute } = service;
  switch (usernameAttribute.kind) {
    case 'principal':
      return inLetters(principal.id, usernameAttribute.letterCase);
    case 'attribute':
      return inLetters(
        namedIn(usernameAttribute.name, released, principal) ?? principal.id,
        usernameAttribute.letterCase,
      );
    case 'anonymous':
      return pseudonymOf(service.pseudonymSalt, principal.id);
  }
}

function inLetters(name: string, letterCase: LetterCase | undefined): string {
  if (letterCase === undefined) return name;
  return letterCase === 'lower' ? name.toLowerCase() : name.toUpperCase();
}

/** Without the values that match no pattern of their attribute, and the attributes that are left without a value. */
function releasedValues(
  { releasedValues: patterns }: Releasing,
  attributes: Attributes,
): Attributes {
  if (Object.keys(patterns).length === 0) return attributes;
  const compiled = compiledPatterns(patterns);
  const budget = newBudget();
  const kept = Object.entries(attributes).map(([name, values]) => {
    const rules = [compiled.get(name), compiled.get(EVERY_ATTRIBUTE)];
    const isReleased = (value: string): boolean =>
      rules.every((rule) => rule === undefined || rule.judge(value, budget) === 'match');
    return [name, values.filter(isReleased)] as const;
  });
  return Object.fromEntries(kept.filter(([, values]) => values.length > 0));
}

function namedAttributes(
  { attributeRelease }: Releasing,
  principal: Principal,
  names: readonly string[],
): Attributes {
  const named = renamed(
    principal,
    names.map((name) => [name, [name]]),
  );
  const excluded = attributeRelease.kind === 'all' ? attributeRelease.excluded : undefined;
  return excluded === undefined ? named : without(named, excluded);
}

function without(attributes: Attributes, excluded: readonly string[]): Attributes {
  const names = new Set(excluded.map((name) => name.toLowerCase()));
  const kept = Object.entries(attributes).filter(([name]) => !names.has(name.toLowerCase()));
  return Object.fromEntries(kept);
}

function releasedAttributes(service: Releasing, principal: Principal): Attributes {
  const { attributeRelease } = service;
  switch (attributeRelease.kind) {
    case 'none':
      return {};
    case 'all':
      return attributeRelease.excluded === undefined
        ? principal.attributes
        : without(principal.attributes, attributeRelease.excluded);
    case 'allowed':
      return renamed(
        principal,
        attributeRelease.names.map((name) => [name, [name]]),
      );
    case 'mapped':
      return renamed(principal, Object.entries(attributeRelease.names));
  }
}

/** Uses a Map, so that an attribute name such as `__proto__` has no special meaning. */
function renamed(
  principal: Principal,
  names: readonly (readonly [string, readonly string[]])[],
): Attributes {
  const released = new Map<string, Set<string>>();
  for (const [from, targets] of names) {
    const values = valuesOf(principal, from);
    if (values.length === 0) continue;
    for (const to of targets) {
      released.set(to, new Set([...(released.get(to) ?? []), ...values]));
    }
  }
  return Object.fromEntries([...released].map(([name, values]) => [name, [...values]]));
}
