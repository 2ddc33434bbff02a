// Owns what the naming of a source may look at. The names themselves are the backends'.

/** Where a document stands. */
export interface DocumentPlace {
  /** Relative to the backend's root: `eu/orders.yml`. */
  readonly path: string;
  /** Of the search path that held the file: `''` or `eu/`. */
  readonly directory: string;
  /** Counted from 0; undefined where the file holds but one document. */
  readonly document: number | undefined;
}

/** The name under which clients see the properties of a document. */
export type SourceNaming = (place: DocumentPlace) => string;
