// The settings of module `rest-services`: the role that permits registering services, and the order that it gets them.
import { Max, Min } from 'class-validator';
import { integer, Setting, text, type Violation } from '@tessera/config';
import { roleViolations } from './setting-rules.js';

export class RestServicesSettings {
  /** The attribute that holds roles; empty, like `roleValue`, permits nobody. */
  @Setting('sso.rest.services.role-name', text, { dev: 'memberOf' }) roleName = '';
  /** A pattern in RE2 syntax that must match one whole value. */
  @Setting('sso.rest.services.role-value', text, { dev: 'admin' }) roleValue = '';

  /** The lowest `evaluationOrder` that may be registered. */
  @Setting('sso.rest.services.min-order', integer)
  @Min(-2_147_483_648)
  @Max(2_147_483_647)
  minOrder = -2_147_483_648;

  check(): Iterable<Violation> {
    return roleViolations('sso.rest.services', this);
  }
}
