import { oneOf, Setting, text } from '@tessera/config';
import { tlsSettings } from '@tessera/server';

/** Client certificates are a credential of the REST interface. */
export class TlsSettings extends tlsSettings('sso') {
  @Setting('sso.tls.client-ca-file', text) override clientCaFile = '';
  @Setting('sso.tls.client-certificates', oneOf('none', 'request'))
  override clientCertificates: 'none' | 'request' = 'none';
}
