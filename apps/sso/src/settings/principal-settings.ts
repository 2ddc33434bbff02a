// Settings of what holds for a principal that any handler accepted.
import { boolean, Live, oneOf, Setting } from '@tessera/settings';

export type AttributeSourceName = 'accounts' | 'ldap';

@Live()
export class PrincipalSettings {
  /** Whether a disabled or expired account refuses a principal of its name, whatever handler accepted it. */
  @Setting('sso.authentication.account-status', boolean) accountStatus = true;
  /** Where attributes come from besides the handler that accepted; unset: nowhere else. */
  @Setting('sso.authentication.attributes-from', oneOf<AttributeSourceName>('accounts', 'ldap'))
  attributesFrom: AttributeSourceName | undefined = undefined;
}
