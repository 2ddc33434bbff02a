// The rules of `sso.modules`.
import type { Violation } from '@tessera/config';
import { isModuleName, MODULE_NAMES } from './module-names.js';
import type { TlsSettings } from './tls-settings.js';
import type { X509Settings } from './x509-settings.js';

interface WithModules {
  readonly modules: readonly string[];
  readonly tls: Pick<TlsSettings, 'clientCertificates'>;
  readonly x509: Pick<X509Settings, 'caFile' | 'tls'>;
  readonly signingKeys: { readonly keys: readonly unknown[] };
  isActive(profile: string): boolean;
}

export function* checkModules(settings: WithModules): Iterable<Violation> {
  const { modules, tls, x509 } = settings;
  for (const name of modules.filter((each) => !isModuleName(each))) {
    const known = MODULE_NAMES.join(', ');
    const message = `names the unknown module ${name}; there are ${known}`;
    yield { key: 'sso.modules', message, rule: `names an unknown module; there are ${known}` };
  }
  yield* checkOidc(settings);
  if (!modules.includes('rest-x509')) return;
  if (!modules.includes('rest')) {
    yield { key: 'sso.modules', message: 'must name rest too where it names rest-x509' };
  }
  if (x509.caFile === '') {
    yield { key: 'sso.rest.x509.ca-file', message: 'is required by module rest-x509' };
  }
  if (x509.tls && tls.clientCertificates === 'none') {
    const message = 'is of no effect without sso.tls.client-certificates=request';
    yield { key: 'sso.rest.x509.tls', message };
  }
}

function* checkOidc(settings: WithModules): Iterable<Violation> {
  if (!settings.modules.includes('oidc')) return;
  if (!settings.modules.includes('login')) {
    yield { key: 'sso.modules', message: 'must name login too where it names oidc' };
  }
  if (settings.signingKeys.keys.length === 0 && !settings.isActive('dev')) {
    const message = 'is required by module oidc, except in profile dev: tessera keygen makes a key';
    yield { key: 'sso.oidc.sealing-keys', message };
  }
}
