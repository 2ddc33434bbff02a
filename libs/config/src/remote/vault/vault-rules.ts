// Rules for the settings of a Vault, for any group of keys.
import type { Violation, CoreSettings, Secret } from '../../settings/index.js';
import { serverUrlViolation } from '../server-url.js';

/** Paths at which Vault mounts engines and auth methods. */
export const MOUNT_PATH = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;

export interface GivenAccess {
  readonly uri: string;
  readonly token: Secret | undefined;
  readonly tokenFile: string;
  readonly roleId: string;
  readonly secretId: Secret | undefined;
  /** Keys of other login methods, relative to the group, and whether they are set. */
  readonly otherLogins?: Readonly<Record<string, boolean>>;
}

/** Rules that apply whether or not Vault is used. @param group the prefix of the keys, `vault` */
export function* vaultViolations(
  group: string,
  access: GivenAccess,
  profiles: Pick<CoreSettings, 'isActive'>,
): Iterable<Violation> {
  const violation = (name: string, message: string) => ({ key: `${group}.${name}`, message });
  const message = access.uri && serverUrlViolation(access.uri, profiles);
  if (message) yield violation('uri', message);
  const [first, second] = credentialsIn(access);
  if (first !== undefined && second !== undefined) {
    yield violation(second, `may not be given together with ${group}.${first}`);
  }
  if (/[^\x21-\x7e]/.test(access.token?.reveal() ?? '')) {
    yield violation('token', 'must be a token: letters, digits and signs, no white space');
  }
  if (isGiven(access.secretId) !== (access.roleId !== '')) {
    const [roleId, secretId] = ['app-role.role-id', 'app-role.secret-id'] as const;
    const [missing, given] = access.roleId === '' ? [roleId, secretId] : [secretId, roleId];
    yield violation(missing, `is required with ${group}.${given}`);
  }
}

/** The keys, relative to the group, of the credentials that are set. */
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
