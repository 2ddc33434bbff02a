// Errors of attributes that are read by a query of the settings.
import { CodedError } from '@tessera/runtime';

export type AttributesErrorCode = 'ATTRIBUTES_UNAVAILABLE' | 'ATTRIBUTES_INVALID';

/** The message quotes no value. A login is undecided until the source or its settings are mended. */
export class AttributesError extends CodedError<AttributesErrorCode> {
  override get isTemporary(): boolean {
    return true;
  }
}
