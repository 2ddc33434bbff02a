// The settings of the principal policy, which applies to every handler.
import { boolean, oneOf, Setting } from '@tessera/config';

export type AttributeSourceName = 'accounts' | 'ldap';
export class PrincipalSettings {
  /** Whether a disabled or expired account refuses the principal of the same name, for every handler. */
  @Setting('sso.authentication.account-status', boolean) accountStatus = true;
  /** The source of further attributes; unset: only the accepting handler. */
  @Setting('sso.authentication.attributes-from', oneOf<AttributeSourceName>('accounts', 'ldap'))
  attributesFrom: AttributeSourceName | undefined = undefined;
}
