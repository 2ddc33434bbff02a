// Owns what is told of settings that something made of them cannot be made of.
import type { Problem } from '../problem.js';
import type { ProtectedTexts } from '../protection/protected-texts.js';
import { SettingsError } from '../settings-error.js';

/** Codes of our libraries, of which none is Node's or a package's: `LDAP_CA_UNREADABLE`. */
const OUR_CODE = /^(?!.*ERR_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** What anything else says may be fit for nobody but who reads the log. */
const UNTOLD: Problem = { message: 'settings could not be used: the log says why' };

/**
 * All problems in one; what they do not tell is its cause.
 *
 * @param originOf a key: where its value was written
 * @param secrets masked in what others say
 */
export function followersProblems(
  applicationName: string,
  errors: readonly unknown[],
  originOf: (key: string) => string | undefined,
  secrets: Pick<ProtectedTexts, 'maskProblem'>,
): SettingsError {
  const untold = errors.filter((error) => problemsIn(error) === undefined);
  const told = errors
    .flatMap((error) => problemsIn(error) ?? [])
    .map(withOrigin(originOf))
    .map((problem) => secrets.maskProblem(problem));
  const problems = untold.length === 0 ? told : [...told, UNTOLD];
  const cause = untold.length > 1 ? new AggregateError(untold, 'several errors') : untold[0];
  return new SettingsError(applicationName, problems, cause);
}

/** Undefined where the error is not meant for who sees settings. */
function problemsIn(error: unknown): readonly Problem[] | undefined {
  if (error instanceof SettingsError) return error.problems;
  return isOurs(error) ? [{ message: error.message }] : undefined;
}

/** Ours name themselves, and have a code; their messages hold no secret. */
function isOurs(error: unknown): error is Error {
  if (!(error instanceof Error) || !Object.hasOwn(error, 'name')) return false;
  return 'code' in error && typeof error.code === 'string' && OUR_CODE.test(error.code);
}

function withOrigin(originOf: (key: string) => string | undefined): (problem: Problem) => Problem {
  return (problem) => {
    const origin = problem.origin ?? originOf(problem.key ?? '');
    return origin === undefined ? problem : { ...problem, origin };
  };
}
