// Owns who has a role that settings name: principals with a certain value of an attribute. Nobody where they name none.
import { valuePattern, valuesOf, type Principal, type ValuePattern } from '@tessera/services';

/** As settings name it: the attribute that holds roles, and a pattern for the whole of one of its values. */
export interface NamedRole {
  readonly roleName: string;
  readonly roleValue: string;
}

export class RequiredRole {
  private readonly attribute: string;
  private readonly value: ValuePattern | undefined;

  /** @throws ServiceError SERVICE_INVALID where the value is no pattern, which the settings have checked */
  constructor({ roleName, roleValue }: NamedRole) {
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
