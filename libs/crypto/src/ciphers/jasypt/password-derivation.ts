// Owns the port of derivations: a password and a salt to a key, and mostly an initialization vector.

export interface DerivationRequest {
  /** As `encode` wrote it. */
  readonly password: Buffer;
  readonly salt: Buffer;
  readonly iterations: number;
  /** What the cipher takes. */
  readonly keyBytes: number;
  readonly ivBytes: number;
}

export interface DerivedKey {
  readonly key: Buffer;
  /** Absent where it is not derived but stored with the text. */
  readonly iv?: Buffer;
}

export interface PasswordDerivation {
  /** Java's derivations disagree about the bytes of a password. */
  encode(password: string): Buffer;
  /** Leaves the event loop to others meanwhile. */
  derive(request: DerivationRequest): Promise<DerivedKey>;
}
