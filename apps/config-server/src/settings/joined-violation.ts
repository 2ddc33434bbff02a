// Reports several violations of one setting.
import type { Violation, ViolationText } from '@tessera/config';

/** One violation with the texts of all, because only the first violation of a key is reported; none without texts. */
export function* joinedViolation(
  key: string,
  texts: Iterable<Required<ViolationText>>,
): Iterable<Violation> {
  const all = [...texts];
  if (all.length === 0) return;
  const message = all.map((each) => each.message).join('; ');
  yield { key, message, rule: all.map(({ rule }) => rule).join('; ') };
}
