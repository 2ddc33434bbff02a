// Owns the walk over what an object inherits from, on which decorators leave what they declare.

/** The object itself, and all its prototypes. */
export function* prototypeChain(object: object): Iterable<object> {
  for (let target: unknown = object; isObject(target);) {
    yield target;
    target = Object.getPrototypeOf(target);
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
