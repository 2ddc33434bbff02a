// Walks the fields of an ASN.1 SEQUENCE in their order, so that none is skipped or left over.
import { unreadable } from '../certificate-error.js';
import { type DerElement, TAG } from './der-element.js';

/** A cursor over the fields of one SEQUENCE. Throws CertificateError CERTIFICATE_UNREADABLE. */
export class DerFields {
  private readonly fields: readonly DerElement[];
  private place = 0;

  constructor(sequence: DerElement, tag: number = TAG.sequence) {
    this.fields = sequence.expect(tag).children();
  }

  /** The next field, which has to be there and be of one of these types. */
  required(...tags: readonly number[]): DerElement {
    const field = this.optional(...tags);
    if (field === undefined) throw unreadable('a field is missing or has another type');
    return field;
  }

  /** The next field, if it is of one of these types. */
  optional(...tags: readonly number[]): DerElement | undefined {
    const field = this.fields[this.place];
    if (field === undefined || !tags.includes(field.tag)) return undefined;
    this.place += 1;
    return field;
  }

  /** The field that remains, of whatever type. */
  last(): DerElement {
    const field = this.fields[this.place];
    if (field === undefined) throw unreadable('a field is missing');
    this.place += 1;
    this.end();
    return field;
  }

  end(): void {
    if (this.place < this.fields.length) {
      throw unreadable('there are more fields than there may be');
    }
  }
}
