// Reads user names with passwords out of forms.
import { RequestError, type Form } from '@tessera/server';
import type { UsernamePasswordCredential } from './authentication-handler.js';
import type { CredentialExtractor } from './credential-extractor.js';

const LONGEST_USERNAME = 255;

export class PasswordExtractor implements CredentialExtractor {
  readonly fields = ['username', 'password'];

  read(form: Form): UsernamePasswordCredential | undefined {
    if (!this.fields.some((name) => form.has(name))) return undefined;
    const username = form.line('username', LONGEST_USERNAME);
    const password = form.one('password');
    if (!username || !password) {
      const missing = [!username && 'username', !password && 'password'];
      const names = missing.filter((name) => name !== false).join(', ');
      throw new RequestError('MALFORMED_REQUEST', `missing: ${names}`);
    }
    const others = form.except(...this.fields);
    return { type: 'UsernamePasswordCredential', username, password, form: others };
  }
}
