// The result of a rule between settings, and what a rule may ask of all settings.

/** What is wrong with a value. Both texts read on from the key: `is required in profile production`. */
export interface Violation {
  /** May quote the value. */
  readonly message: string;
  /** The same without any part of the value, for one that may not be shown. Absent where `message` quotes nothing. */
  readonly rule?: string;
}

/** Something wrong with a key in the light of other settings. */
export interface Complaint extends Violation {
  readonly key: string;
  /** Other keys whose values `message` quotes. */
  readonly quotes?: readonly string[];
}

export interface ActiveProfiles {
  isActive(profile: string): boolean;
}
