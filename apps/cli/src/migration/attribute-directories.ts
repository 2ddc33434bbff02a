// Which directory of logins `cas.authn.attribute-repository.ldap[n]` means: one with a server of it, and with its entries.
import type { Matched } from './settings-draft.js';

export const LOGINS = 'cas.authn.ldap';
export const ATTRIBUTES = 'cas.authn.attribute-repository.ldap';

/** For the report. */
export const SAME_DIRECTORY =
  'the directory of the logins has them: attributes come with the login';
/** For the report. */
export const OTHER_DIRECTORY =
  'its attributes are missing: name the directory in sso.authentication.ldap.directories and .attributes-from';

/** Settings of one index. */
interface Source {
  readonly servers: readonly string[];
  readonly base: string;
}

/** The index of the directory of logins, by the index of the one for attributes; undefined where there is none. */
export function loginDirectories(
  matched: readonly Matched[],
): (index: number) => number | undefined {
  const logins = sourcesBelow(LOGINS, matched);
  const sources = sourcesBelow(ATTRIBUTES, matched);
  return (index) => {
    const source = sources.get(index);
    if (source === undefined || source.servers.length === 0) return index;
    return [...logins].find(([, login]) => isSame(login, source))?.[0];
  };
}

export function indexOf({ old }: Matched): number {
  return Number(/\[(\d+)\]/.exec(old.name)?.[1] ?? 0);
}

function sourcesBelow(group: string, matched: readonly Matched[]): ReadonlyMap<number, Source> {
  const below = matched.filter(({ old }) => /^[.[]/.test(old.name.replace(group, '')));
  const valuesOf = (settings: readonly Matched[], part: string): string =>
    settings
      .filter(({ old }) => old.name.endsWith(`.${part}`))
      .flatMap(({ old }) => old.values)
      .join(' ')
      .toLowerCase();
  return new Map(
    [...Map.groupBy(below, indexOf)].map(([index, settings]) => [
      index,
      {
        servers: valuesOf(settings, 'ldap-url')
          .split(/[\s,]+/)
          .map((url) => url.replace(/^ldaps?:\/\//, '').replace(/(?::\d+)?\/*$/, ''))
          .filter((host) => host !== ''),
        base: valuesOf(settings, 'base-dn').replaceAll(/\s*,\s*/g, ','),
      },
    ]),
  );
}

/** A base above or below the other has the same entries. */
function isSame(login: Source, { servers, base }: Source): boolean {
  const isServer = login.servers.some((host) => servers.includes(host));
  return isServer && (login.base.endsWith(base) || base.endsWith(login.base));
}
