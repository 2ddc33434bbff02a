import type { Attributes } from '@tessera/services';

/** The port to a store that has attributes of principals. */
export interface AttributeSource {
  /** As in the settings. */
  readonly name: string;
  /** The names of the handlers that return the same attributes. */
  readonly handlers: readonly string[];
  /**
   * The attributes of the user with exactly this id; undefined without such a user.
   *
   * @throws where its store is unavailable
   */
  attributesOf(id: string): Promise<Attributes | undefined>;
  close?(): Promise<void>;
}
