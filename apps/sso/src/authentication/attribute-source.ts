import type { Attributes } from '@tessera/services';
import type { AttributeSourceName } from '../settings/principal-settings.js';

/** The port to a store that has attributes of principals. */
export interface AttributeSource {
  /** As in `sso.authentication.attributes-from`; the handler of the same store has the same name. */
  readonly name: AttributeSourceName;
  /**
   * The attributes of the user with exactly this id; undefined without such a user.
   *
   * @throws where its store is unavailable
   */
  attributesOf(id: string): Promise<Attributes | undefined>;
  close?(): Promise<void>;
}
