// The settings of module `rest-services`: the role that permits registering services.
import { Live, Setting, text, type Violation } from '@tessera/config';
import { roleViolations } from './setting-rules.js';

@Live()
export class RestServicesSettings {
  /** The attribute that holds roles; empty, like `roleValue`, permits nobody. */
  @Setting('sso.rest.services.role-name', text, { dev: 'memberOf' }) roleName = '';
  /** A pattern in RE2 syntax that must match one whole value. */
  @Setting('sso.rest.services.role-value', text, { dev: 'admin' }) roleValue = '';

  check(): Iterable<Violation> {
    return roleViolations('sso.rest.services', this);
  }
}
