// Owns the settings of who may manage a running server: by a token, or as a user with a role.
import { Live, secret, Setting, text, type Violation, type Secret } from '@tessera/settings';
import { roleComplaints } from '../roles/role-complaints.js';

const PREFIX = 'sso.management';
/** What the header Authorization can carry. @see RFC 6750 §2.1 */
const TOKEN = /^(?=.{20,512}$)[A-Za-z0-9._~+/-]+=*$/;

@Live()
export class ManagementSettings {
  /** Whoever has it may manage the server. */
  @Setting('sso.management.token', secret) token: Secret | undefined = undefined;
  /** The attribute that holds roles; empty, as `roleValue` is then, where no user may manage the server. */
  @Setting('sso.management.role-name', text) roleName = '';
  /** A pattern in RE2 syntax that matches the whole of one of its values. */
  @Setting('sso.management.role-value', text) roleValue = '';

  /** Whether users may manage the server at all. */
  get hasRole(): boolean {
    return this.roleName !== '';
  }

  *check(): Iterable<Violation> {
    if (this.token !== undefined && !TOKEN.test(this.token.reveal())) {
      const message =
        'must have 20 to 512 characters, of A-Z a-z 0-9 - . _ ~ + / (openssl rand -hex 32 makes one)';
      yield { key: `${PREFIX}.token`, message };
    }
    yield* roleComplaints(PREFIX, this);
  }
}
