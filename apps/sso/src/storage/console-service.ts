// The console as a service of its own server, which admits it without a registration.
import type { NewService } from '@tessera/services';
import { hasOperatorApi, managementUrl } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';

export const SIGN_IN_STATE_LENGTH = 22;

/** Comes before every registered service, so that none can lock operators out: their orders are integers of 32 bits. */
const BEFORE_ALL = -(2 ** 31) - 1;

/** Undefined without a console. It gets the name of the user, and no attributes. */
export function consoleService(settings: SsoSettings): NewService | undefined {
  if (!settings.managementServer.isOn || !hasOperatorApi(settings)) return undefined;
  const url = managementUrl(settings).replaceAll(/[^\w:/-]/g, String.raw`\$&`);
  const serviceId = String.raw`^${url}/sign-in\?state=[\w-]{${SIGN_IN_STATE_LENGTH}}$`;
  return { serviceId, name: 'Tessera console', evaluationOrder: BEFORE_ALL };
}
