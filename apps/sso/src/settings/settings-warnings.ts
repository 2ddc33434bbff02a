// Warnings of settings that are risky or have no effect.
import { RequiredRole } from './required-role.js';
import type { SsoSettings } from './sso-settings.js';

type Warning = readonly [message: string, applies: (settings: SsoSettings) => boolean];

const WARNINGS: readonly Warning[] = [
  [
    'failed logins over REST are not throttled, as by default outside profile production: set ' +
      'sso.throttle.rest.enabled=true, or admit trusted networks only',
    ({ modules, throttle }) => modules.includes('rest') && !throttle.restEnabled,
  ],
  [
    'the key of session cookies and login forms is in the database, and in its backups: set sso.login.keys',
    (settings) =>
      settings.modules.includes('login') &&
      settings.login.keys.length === 0 &&
      !settings.isActive('dev'),
  ],
  [
    'nobody may register services: sso.rest.services names no role',
    ({ modules, restServices }) =>
      modules.includes('rest-services') && !new RequiredRole(restServices).isGiven,
  ],
  [
    'module rest-x509 accepts no certificate: set trusted hosts, a header, or tls',
    ({ modules, x509 }) =>
      modules.includes('rest-x509') &&
      x509.trustedHosts.length === 0 &&
      x509.headerName === '' &&
      !x509.tls,
  ],
];

/** The warnings that apply to the settings, without those that applied to the settings before. */
export function settingsWarnings(settings: SsoSettings, before?: SsoSettings): readonly string[] {
  const isNew = ([, applies]: Warning): boolean =>
    applies(settings) && (before === undefined || !applies(before));
  return WARNINGS.filter(isNew).map(([message]) => message);
}
