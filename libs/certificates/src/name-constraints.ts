// The names that an authority may certify, and whether a certificate keeps to them.
import { CertificateError, unreadable } from './certificate-error.js';
import { constructedContext, type DerElement, TAG } from './der/der-element.js';
import { DerFields } from './der/der-fields.js';
import { type GeneralName, readGeneralName } from './general-name.js';
import { isConstrained, lies, type ConstrainedName } from './name-within.js';

/** What an authority's certificate says of the names in all certificates below it. */
export class NameConstraints {
  private constructor(
    private readonly permitted: readonly ConstrainedName[],
    private readonly excluded: readonly ConstrainedName[],
    private readonly isDecidable: boolean,
  ) {}

  /**
   * @throws CertificateError CERTIFICATE_UNREADABLE
   * @see RFC 5280 §4.2.1.10
   */
  static read(value: DerElement): NameConstraints {
    const fields = new DerFields(value);
    const permitted = subtrees(fields.optional(constructedContext(0)));
    const excluded = subtrees(fields.optional(constructedContext(1)));
    fields.end();
    const isDecidable = [...permitted, ...excluded].every(isConstrained);
    return new NameConstraints(
      permitted.filter(isConstrained),
      excluded.filter(isConstrained),
      isDecidable,
    );
  }

  /** @throws CertificateError CERTIFICATE_CONSTRAINTS */
  check(names: readonly GeneralName[]): void {
    if (!this.isDecidable) throw refused('name constraints that cannot be checked here');
    for (const name of names) {
      const permitted = this.permitted.filter(({ form }) => form === name.form);
      const isPermitted = permitted.length === 0 || permitted.some((base) => lies(name, base));
      if (!isPermitted || this.excluded.some((base) => lies(name, base))) {
        throw refused('a name that the issuer may not certify');
      }
    }
  }
}

function subtrees(element: DerElement | undefined): readonly GeneralName[] {
  return element?.children().map(subtree) ?? [];
}

/** RFC 5280 gives no meaning to `minimum` and `maximum`, which may follow the base. */
function subtree(element: DerElement): GeneralName {
  const [base, ...distances] = element.expect(TAG.sequence).children();
  if (base === undefined) throw unreadable('a name constraint has no name');
  return distances.length > 0 ? { form: 'unsupported' } : readGeneralName(base);
}

function refused(what: string): CertificateError {
  return new CertificateError('CERTIFICATE_CONSTRAINTS', what);
}
