// The error of an application that cannot start with new settings, as violations of settings.
import type { ReportedViolation } from '../violation.js';
import type { SecretMasker } from '../protection/secret-masker.js';
import { SettingsError } from '../settings-error.js';

/** Error codes of our libraries, not of Node.js or packages: `LDAP_CA_UNREADABLE`. */
const OWN_ERROR_CODE = /^(?!.*ERR_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Replaces messages of other errors, which may contain secrets. */
const UNKNOWN_ERROR: ReportedViolation = {
  message: 'settings could not be used: the log says why',
};

/**
 * An error that is not fit for operators becomes the cause.
 *
 * @param originOf where the value of a key was written
 * @param secrets masked in messages
 */
export function applicationError(
  applicationName: string,
  error: unknown,
  originOf: (key: string) => string | undefined,
  secrets: Pick<SecretMasker, 'maskViolations'>,
): SettingsError {
  const known = publicViolations(error);
  if (known === undefined) return new SettingsError(applicationName, [UNKNOWN_ERROR], error);
  const violations = secrets.maskViolations(known.map(withOrigin(originOf)));
  return new SettingsError(applicationName, violations);
}

/** Undefined if the message is not fit for operators. */
function publicViolations(error: unknown): readonly ReportedViolation[] | undefined {
  if (error instanceof SettingsError) return error.violations;
  return isOwnError(error) ? [{ message: error.message }] : undefined;
}

/** Errors of our libraries have a name and a code of their own; their messages contain no secrets. */
function isOwnError(error: unknown): error is Error {
  if (!(error instanceof Error) || !Object.hasOwn(error, 'name')) return false;
  return 'code' in error && typeof error.code === 'string' && OWN_ERROR_CODE.test(error.code);
}

function withOrigin(
  originOf: (key: string) => string | undefined,
): (violation: ReportedViolation) => ReportedViolation {
  return (violation) => {
    const origin = violation.origin ?? originOf(violation.key ?? '');
    return origin === undefined ? violation : { ...violation, origin };
  };
}
