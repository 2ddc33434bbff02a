// Owns what a rule between settings has to say, and what it may ask.

/** Something wrong with a key in the light of other settings. */
export interface Complaint {
  readonly key: string;
  /** Reads on from the key: `is required in profile production`. */
  readonly message: string;
}

export interface ActiveProfiles {
  isActive(profile: string): boolean;
}
