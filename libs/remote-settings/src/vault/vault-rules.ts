// Owns the rules for settings that speak of a Vault, whichever keys they have.
import type { Complaint, CoreSettings, Secret } from '@tessera/settings';
import { serverUrlFault } from '../server-url.js';

/** Fits the paths at which Vault mounts engines and methods. */
export const MOUNT_PATH = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;

/** What the rules look at. */
export interface GivenAccess {
  readonly uri: string;
  readonly token: Secret | undefined;
  readonly tokenFile: string;
  readonly roleId: string;
  readonly secretId: Secret | undefined;
  /** Keys of other logins, below the group's, and whether they are given. */
  readonly otherLogins?: Readonly<Record<string, boolean>>;
}

/** The rules that hold whether or not anybody needs this Vault. @param group `vault` */
export function* vaultComplaints(
  group: string,
  access: GivenAccess,
  profiles: Pick<CoreSettings, 'isActive'>,
): Iterable<Complaint> {
  const about = (name: string, message: string) => ({ key: `${group}.${name}`, message });
  const fault = access.uri && serverUrlFault(access.uri, profiles);
  if (fault) yield about('uri', fault);
  const [first, second] = credentialsIn(access);
  if (first !== undefined && second !== undefined) {
    yield about(second, `may not be given together with ${group}.${first}`);
  }
  if (/[^\x21-\x7e]/.test(access.token?.reveal() ?? '')) {
    yield about('token', 'must be a token: letters, digits and signs, no white space');
  }
  if (isGiven(access.secretId) !== (access.roleId !== '')) {
    const [roleId, secretId] = ['app-role.role-id', 'app-role.secret-id'] as const;
    const [missing, given] = access.roleId === '' ? [roleId, secretId] : [secretId, roleId];
    yield about(missing, `is required with ${group}.${given}`);
  }
}

/** The keys, below the group's, of the ways to a token that are given. */
export function credentialsIn(access: GivenAccess): readonly string[] {
  const given = {
    token: isGiven(access.token),
    'token-file': access.tokenFile !== '',
    'app-role.role-id': access.roleId !== '',
    ...access.otherLogins,
  };
  return Object.entries(given).flatMap(([name, isThere]) => (isThere ? [name] : []));
}

function isGiven(secret: Secret | undefined): boolean {
  return (secret?.reveal() ?? '') !== '';
}
