// The user of Spring Security becomes a client of the config server, which may read everything.
import { PasswordHashing } from '@tessera/crypto';
import type { OldSetting } from './old-settings.js';
import type { SettingsDraft } from './settings-draft.js';

const PERMISSIONS = ['read', 'files', 'encrypt', 'decrypt'];
/** The name without a setting, as in Spring Boot. */
const DEFAULT_NAME = 'user';

export async function addClient(olds: readonly OldSetting[], draft: SettingsDraft): Promise<void> {
  const valueOf = (end: string): string =>
    olds.find(({ name }) => name.endsWith(end))?.values.join(',') ?? '';
  const [name, password] = [valueOf('.name') || DEFAULT_NAME, valueOf('.password')];
  for (const old of olds) {
    if (password === '') draft.leave(old, 'set config-server.clients: a client has a password');
    else if (!/\.(?:name|password)$/.test(old.name)) {
      draft.leave(old, 'the permissions of a client decide');
    }
  }
  if (password === '') return;
  const client = {
    'password-hash': await hashOf(password),
    applications: '*',
    permissions: PERMISSIONS,
  };
  for (const old of olds) draft.take(old, { 'config-server.clients': { [name]: client } });
}

/** Spring's prefix names the scheme; bcrypt is read here, too. */
async function hashOf(password: string): Promise<string> {
  const [, scheme, rest = ''] = /^\{(noop|bcrypt)\}(.*)$/s.exec(password) ?? [];
  return scheme === 'bcrypt'
    ? rest
    : new PasswordHashing().hash(scheme === 'noop' ? rest : password);
}
