// Warns of profiles whose names resemble `dev` or `production`, since they select none of the defaults and rules of these.
import { editDistance } from './closest-key.js';

/** The known profiles by the words that people write for them. */
const PROFILES = new Map([
  ['production', 'production'],
  ['development', 'dev'],
]);

/** Shorter beginnings of the words are names of their own. */
const LEAST_LENGTH = 3;
const MOST_MISTAKES = 2;

/** One warning for each active profile that was probably meant to be a known one, which is not active itself. */
export function profileWarnings(active: readonly string[]): readonly string[] {
  const known = [...PROFILES.values()];
  return active.flatMap((name) => {
    const meant = known.includes(name) ? undefined : meantProfile(name.toLowerCase());
    if (meant === undefined || active.includes(meant)) return [];
    return [
      `the profile ${name} selects only files of its own: did you mean ${meant}, which has other defaults and rules?`,
    ];
  });
}

function meantProfile(name: string): string | undefined {
  const [, profile] =
    [...PROFILES].find(
      ([word]) =>
        (name.length >= LEAST_LENGTH && word.startsWith(name)) ||
        editDistance(name, word) <= MOST_MISTAKES,
    ) ?? [];
  return profile;
}
