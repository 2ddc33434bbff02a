// Settings of Apereo CAS that make logins stricter. Tessera would ignore them, so they are violations.
import { leavesOf, type RawEntry } from '../raw-value.js';
import type { SettingKeys } from '../setting-keys.js';
import type { ReportedViolation } from '../violation.js';
import { SAME_POLICIES } from './directory-rows.js';
import type { Safeguard } from './migration-row.js';
import { MIGRATION_ROWS } from './migration-rows.js';

/** @see docs/migration.md, which lists them */
export const SAFEGUARDS = MIGRATION_ROWS.flatMap(({ there, safeguard }) =>
  safeguard ? [{ key: there, ...safeguard }] : [],
);

/** What the policy demands is what happens here. */
const SAME_HERE = ['cas.authn.policy.any', ...SAME_POLICIES];

/** The settings in an entry, or the variable, that make logins stricter; in the settings of logins only. */
export function lostSafeguards(entry: RawEntry, settingKeys: SettingKeys): ReportedViolation[] {
  if (!/^cas[._]/i.test(entry.key) || settingKeys.find('sso.base-url') === undefined) return [];
  return leavesOf(entry).flatMap(({ key, value: { content, origin } }) => {
    const found = SAFEGUARDS.find((each) => isBelow(key, each.key));
    const isStricter = found && makesStricter(found, typeof content === 'string' ? content : '');
    if (!isStricter || SAME_HERE.some((each) => isBelow(key, each))) return [];
    const instead = settingKeys.migrationHint(found.key)?.instead;
    const cure =
      instead === undefined
        ? 'which Tessera does not do: delete it to accept logins without that'
        : `and is not read here: set ${instead} instead, and delete it`;
    return [{ key, message: `${found.meaning}, ${cure}`, origin }];
  });
}

/** Whether a value asks for the stricter login. */
export function makesStricter({ only }: Safeguard, value: string): boolean {
  const text = value.trim().toLowerCase();
  return only === undefined ? !['', 'false'].includes(text) : text === only;
}

/** In every spelling, also of variables, and for each element of a list. */
function isBelow(key: string, prefix: string): boolean {
  return lettersOf(key).startsWith(lettersOf(prefix));
}

function lettersOf(key: string): string {
  return key.replaceAll(/\[[^\]]*\]|[^a-z]/gi, '').toLowerCase();
}
