// Texts for property tests.
import { nat, oneof, string, type Arbitrary, type StringConstraints } from 'fast-check';

const SURROGATES = 0x800;

/** Any character except half a surrogate pair. */
const character = nat(0x10_ffff - SURROGATES).map((number) =>
  String.fromCodePoint(number < 0xd800 ? number : number + SURROGATES),
);

/**
 * Texts of all characters, and names such as `__proto__`. The unit `binary` of fast-check makes the same, but takes
 * a second to prepare in each spec.
 */
export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> {
  return oneof(
    { arbitrary: string({ ...constraints, unit: character }), weight: 4 },
    { arbitrary: string(constraints), weight: 1 },
  );
}
