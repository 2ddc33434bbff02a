// The rules of `sso.base-url`.
import type { Violation } from '@tessera/config';
import type { TlsSettings } from './tls-settings.js';

interface WithBaseUrl {
  /** Empty where it is not set. */
  readonly givenBaseUrl: string;
  readonly baseUrl: string;
  readonly tls: Pick<TlsSettings, 'isOn'>;
}

/** Ticket URLs are built by appending paths to the base URL. */
export function* checkBaseUrl({ givenBaseUrl, baseUrl, tls }: WithBaseUrl): Iterable<Violation> {
  // The default is built from the port, which is validated itself.
  if (givenBaseUrl === '') return;
  const key = 'sso.base-url';
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    yield { key, message: 'must be an http or https URL' };
  } else if (url.search !== '' || url.hash !== '' || url.username !== '') {
    yield { key, message: 'must have no query, fragment or user' };
  } else if (baseUrl.endsWith('/')) {
    yield { key, message: 'must not end with a slash' };
  } else if (!/^[/A-Za-z0-9._~-]*$/.test(url.pathname)) {
    yield { key, message: 'must have a path of letters, digits and / . _ ~ -' };
  } else if (tls.isOn && url.protocol === 'http:') {
    yield { key, message: 'must be https where sso.tls.certificate-file is given' };
  }
}
