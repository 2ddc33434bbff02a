// Owns what an application must say to be asked whether it is ready.

export interface ReadinessCheck {
  /** Key in the report, such as `database`. */
  readonly name: string;
  /** Undefined when all is well, else what is wrong, in words fit for the public. */
  readonly check: () => Promise<string | undefined>;
}

/** Injection token of an application's checks. */
export const READINESS_CHECKS = Symbol('READINESS_CHECKS');
