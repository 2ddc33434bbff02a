// A role from the settings: principals with a certain attribute value have it.
import { valuePattern, valuesOf, type Principal, type ValuePattern } from '@tessera/services';

/** The attribute that holds roles, and a pattern that must match one whole value. */
export interface RoleSettings {
  readonly roleName: string;
  readonly roleValue: string;
}

export class RequiredRole {
  private readonly attribute: string;
  private readonly value: ValuePattern | undefined;

  /** @throws ServiceError SERVICE_INVALID for an invalid pattern; validated settings have none */
  constructor({ roleName, roleValue }: RoleSettings) {
    this.attribute = roleName;
    this.value = roleName === '' || roleValue === '' ? undefined : valuePattern(roleValue);
  }

  /** Whether a role is configured; without one, nobody has it. */
  get isGiven(): boolean {
    return this.value !== undefined;
  }

  /** Whether the pattern matches a whole value of the principal's attribute. */
  isHeldBy(principal: Principal): boolean {
    const { value } = this;
    return (
      value !== undefined && valuesOf(principal, this.attribute).some((each) => value.matches(each))
    );
  }
}
