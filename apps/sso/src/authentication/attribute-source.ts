// The port of attributes that are read by a principal's name, beside those that its handler gives.
import type { Attributes } from '@tessera/services';
import type { AttributeSourceName } from '../settings/principal-settings.js';

export interface AttributeSource {
  /** As `sso.authentication.attributes-from` names it; the handler of the same store has the same name. */
  readonly name: AttributeSourceName;
  /**
   * The attributes of the user of exactly this name; undefined where there is none.
   *
   * @throws where it cannot tell, because its store is away
   */
  attributesOf(id: string): Promise<Attributes | undefined>;
  close?(): Promise<void>;
}
