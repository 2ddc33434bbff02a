// Owns who may register services: principals with the role that the settings name. Nobody where they name none.
import { valuePattern, valuesOf, type Principal, type ValuePattern } from '@tessera/services';
import type { RestServicesSettings } from '../settings/rest-services-settings.js';

export class RegistrationRole {
  private readonly attribute: string;
  private readonly value: ValuePattern | undefined;

  /** @throws ServiceError SERVICE_INVALID where the value is no pattern, which the settings have checked */
  constructor({ roleName, roleValue }: Pick<RestServicesSettings, 'roleName' | 'roleValue'>) {
    this.attribute = roleName;
    this.value = roleName === '' || roleValue === '' ? undefined : valuePattern(roleValue);
  }

  /** Whether there is such a role at all. */
  get isGiven(): boolean {
    return this.value !== undefined;
  }

  /** Whether one of the attribute's values, as of the login, is matched by the pattern as a whole. */
  isHeldBy(principal: Principal): boolean {
    const { value } = this;
    return (
      value !== undefined && valuesOf(principal, this.attribute).some((each) => value.matches(each))
    );
  }
}
