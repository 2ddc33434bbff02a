// Validates the attributes of a directory that services get.
import { holdsPassword, NOT_FOR_SERVICES } from '@tessera/accounts';

export const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;

/** What is wrong with the entries. `rule` says it without the entry. @param attributes names for services by those in the directory */
export function* attributeViolations(
  attributes: Readonly<Record<string, string>>,
): Iterable<{ readonly message: string; readonly rule: string }> {
  for (const [index, [source, target]] of Object.entries(attributes).entries()) {
    if (holdsPassword(source) || holdsPassword(target)) {
      const rule = `entry ${index + 1} ${NOT_FOR_SERVICES}`;
      yield { message: `may not hold "${source}": it ${NOT_FOR_SERVICES}`, rule };
    }
    if (ATTRIBUTE_NAME.test(source) && target !== '') continue;
    const rule = 'must map names of LDAP attributes to names';
    yield {
      message: `${rule}, not "${source}"`,
      rule: `${rule}: entry ${index + 1} does not`,
    };
  }
}
