// Authenticates users listed in the settings, for development and tests.
import { accountName } from '@tessera/accounts';
import { equalsInConstantTime } from '@tessera/crypto';
import type { Principal } from '@tessera/services';
import type {
  AuthenticationHandler,
  Credential,
  UsernamePasswordCredential,
  Verdict,
} from './authentication-handler.js';
import type { StaticUser } from './static-users.js';

export class StaticHandler implements AuthenticationHandler<UsernamePasswordCredential> {
  readonly name = 'static';

  constructor(private readonly users: readonly StaticUser[]) {}

  supports(credential: Credential): boolean {
    return credential.type === 'UsernamePasswordCredential';
  }

  /** Compares every user's name and password each time, wherever the match is in the list. */
  authenticate({ username, password }: UsernamePasswordCredential): Promise<Verdict> {
    const name = accountName(username) ?? '';
    let isKnown = false;
    let principal: Principal | undefined;
    for (const user of this.users) {
      const isUser = equalsInConstantTime(user.name, name);
      const isPassword = equalsInConstantTime(user.password, password);
      isKnown = isKnown || isUser;
      if (isUser && isPassword) {
        principal = { id: user.name, attributes: user.attributes };
      }
    }
    if (principal) {
      return Promise.resolve({ accepted: principal });
    }
    return Promise.resolve({ refused: isKnown ? 'wrong password' : 'unknown user' });
  }
}
