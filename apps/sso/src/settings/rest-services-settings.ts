// Owns the settings of module `rest-services`: the role that lets a principal register services.
import { ServiceError, valuePattern } from '@tessera/services';
import { Setting, text, type Complaint } from '@tessera/settings';

export class RestServicesSettings {
  /** The attribute that holds roles; empty, as `roleValue` is then, where nobody may register services. */
  @Setting('sso.rest.services.role-name', text, { dev: 'memberOf' }) roleName = '';
  /** A pattern in RE2 syntax that matches the whole of one of its values. */
  @Setting('sso.rest.services.role-value', text, { dev: 'admin' }) roleValue = '';

  *check(): Iterable<Complaint> {
    const [name, value] = ['sso.rest.services.role-name', 'sso.rest.services.role-value'] as const;
    if (this.roleName === '' && this.roleValue !== '') {
      yield { key: name, message: `is required with ${value}` };
    }
    if (this.roleValue === '' && this.roleName !== '') {
      yield { key: value, message: `is required with ${name}` };
    }
    const fault = faultOf(this.roleValue);
    if (fault !== undefined) yield { key: value, message: fault };
  }
}

function faultOf(pattern: string): string | undefined {
  try {
    valuePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}
