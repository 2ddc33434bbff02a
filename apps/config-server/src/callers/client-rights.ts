import { ALL, type Client, type Permission } from '../settings/client.js';
import type { Scope } from './callers.js';

/** The properties that all applications share. */
const SHARED = 'application';

const REFUSALS: Readonly<Record<Permission, string>> = {
  read: 'this client may not read',
  files: 'this client may not read files, since they may be of other applications',
  encrypt: 'this client may not encrypt',
  decrypt: 'this client may not decrypt',
  refresh: 'this client may not refresh the settings',
};
const NOT_ITS_APPLICATION = 'this client is not allowed that application';
const NOT_ITS_PROFILE =
  'this client is not allowed that profile: with the name of an application it spells another';

/** What each client may do: its permissions, applications and profiles. */
export class ClientRights {
  /** By client: the applications of other clients, as prefixes of file names in lower case. */
  private readonly foreign: ReadonlyMap<Client, readonly string[]>;

  constructor(clients: Iterable<Client>) {
    const all = [...clients];
    const known = new Set(all.flatMap(({ applications }) => [...applications]));
    known.delete(ALL);
    this.foreign = new Map(
      all.map((client) => {
        const names = [...known].filter((name) => !client.applications.has(name));
        return [client, names.map((name) => `${name}-`.toLowerCase())];
      }),
    );
  }

  /** A public message where the client lacks a right, else undefined. */
  refusalOf(
    client: Client,
    permission: Permission,
    { applications, profiles }: Scope,
  ): string | undefined {
    const hasAll = client.applications.has(ALL);
    const readsAll = hasAll && client.permissions.has('read');
    const isPermitted = client.permissions.has(permission) || (permission === 'files' && readsAll);
    if (!isPermitted) return REFUSALS[permission];
    if (hasAll) return undefined;
    if (!applications.every((name) => client.applications.has(name))) return NOT_ITS_APPLICATION;
    const foreign = this.foreign.get(client) ?? [];
    const isSpelled = [...applications, SHARED].some((name) =>
      spellsOneOf(foreign, name, profiles),
    );
    return isSpelled ? NOT_ITS_PROFILE : undefined;
  }
}

/**
 * Whether the request would read files of another application: `orders` in profile `eu` reads `orders-eu`. The comparison
 * ignores case, as some file systems do.
 */
function spellsOneOf(
  foreign: readonly string[],
  application: string,
  profiles: readonly string[],
): boolean {
  const own = `${application}-`.toLowerCase();
  const longer = foreign.filter((name) => name.startsWith(own));
  return profiles.some((profile) => {
    const spelled = `${own}${profile.toLowerCase()}-`;
    return longer.some((name) => spelled.startsWith(name));
  });
}
