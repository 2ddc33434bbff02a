// Owns the settings of module `rest-services`: the role that lets a principal register services.
import { Live, Setting, text, type Violation } from '@tessera/settings';
import { roleComplaints } from '../roles/role-complaints.js';

@Live()
export class RestServicesSettings {
  /** The attribute that holds roles; empty, as `roleValue` is then, where nobody may register services. */
  @Setting('sso.rest.services.role-name', text, { dev: 'memberOf' }) roleName = '';
  /** A pattern in RE2 syntax that matches the whole of one of its values. */
  @Setting('sso.rest.services.role-value', text, { dev: 'admin' }) roleValue = '';

  check(): Iterable<Violation> {
    return roleComplaints('sso.rest.services', this);
  }
}
