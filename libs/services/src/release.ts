// Attribute release: the user name and the attributes that a service gets.
import { createHmac } from 'node:crypto';
import { type Attributes, type Principal, valuesOf } from './principal.js';
import type { RegisteredService } from './registered-service.js';

type Releasing = Pick<
  RegisteredService,
  'attributeRelease' | 'usernameAttribute' | 'pseudonymSalt'
>;

/**
 * The principal for this service. A user name from an attribute is the first value of the attribute that is released under
 * this name, or else of the user's own, or else the principal's id. A pseudonym is the same for the same service and principal, and unrelated between services.
 */
export function release(service: Releasing, principal: Principal): Principal {
  const attributes = releasedAttributes(service, principal);
  return { id: releasedId(service, principal, { ...principal, attributes }), attributes };
}

function releasedId(service: Releasing, principal: Principal, released: Principal): string {
  const { usernameAttribute } = service;
  switch (usernameAttribute.kind) {
    case 'principal':
      return principal.id;
    case 'attribute':
      return (
        valuesOf(released, usernameAttribute.name)[0] ??
        valuesOf(principal, usernameAttribute.name)[0] ??
        principal.id
      );
    case 'anonymous':
      return createHmac('sha256', service.pseudonymSalt).update(principal.id).digest('base64url');
  }
}

function releasedAttributes(service: Releasing, principal: Principal): Attributes {
  const { attributeRelease } = service;
  switch (attributeRelease.kind) {
    case 'none':
      return {};
    case 'all':
      return principal.attributes;
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
