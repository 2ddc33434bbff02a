// The settings of access to management: a token, or users with a role.
import { secret, Setting, text, type Violation, type Secret } from '@tessera/config';
import { roleViolations } from './setting-rules.js';

const PREFIX = 'sso.management';
/** The characters that the header Authorization may contain. @see RFC 6750 §2.1 */
const TOKEN = /^(?=.{20,512}$)[A-Za-z0-9._~+/-]+=*$/;
export class ManagementSettings {
  /** The bearer token that permits management. */
  @Setting('sso.management.token', secret) token: Secret | undefined = undefined;
  /** The attribute that holds roles; empty, like `roleValue`, permits no user. */
  @Setting('sso.management.role-name', text) roleName = '';
  /** A pattern in RE2 syntax that must match one whole value. */
  @Setting('sso.management.role-value', text) roleValue = '';

  /** Whether users with the role may manage the server. */
  get hasRole(): boolean {
    return this.roleName !== '';
  }

  *check(): Iterable<Violation> {
    if (this.token !== undefined && !TOKEN.test(this.token.reveal())) {
      const message =
        'must have 20 to 512 characters, of A-Z a-z 0-9 - . _ ~ + / (openssl rand -hex 32 makes one)';
      yield { key: `${PREFIX}.token`, message };
    }
    yield* roleViolations(PREFIX, this);
  }
}
