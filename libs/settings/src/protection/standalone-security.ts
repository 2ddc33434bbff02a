// Owns the settings of what protected values are decrypted with. They come from outside the files that hold such values.
import { Matches, Max, Min, NotEmpty } from '../bounds.js';
import type { KeyFileSettings } from '../encryption/configured-keys.js';
import { list } from '../readers/collections.js';
import { boolean, integer, oneOf, secret, text } from '../readers/scalars.js';
import { Live } from '../reload/live.js';
import type { Secret } from '../secret.js';
import { Setting } from '../setting.js';

@Live()
export class StandaloneSecurity implements KeyFileSettings {
  /** One of Jasypt's, or AES-256-GCM; empty: what the text looks like. */
  @Setting('sso.standalone.security.algorithm', text) algorithm = '';
  /** Or `@<path>`: a file that holds it. */
  @Setting('sso.standalone.security.password', secret) password: Secret | undefined = undefined;
  /** Of Jasypt's algorithms, as the next two. */
  @Setting('sso.standalone.security.iterations', integer)
  @Min(1)
  @Max(10_000_000)
  iterations = 1_000;
  /** `SunJCE`, `BC` or empty. */
  @Setting('sso.standalone.security.provider', text) provider = '';
  /** Whether Jasypt had a generator of initialization vectors; undefined: whether the algorithm needs one. */
  @Setting('sso.standalone.security.initialization-vector', boolean) hasIvGenerator:
    boolean | undefined = undefined;
  /** For keys that are made of the password: of AES-256-GCM, and of Spring's ciphers. */
  @Setting('sso.standalone.security.salt', text)
  @Matches(/^(?:[0-9a-fA-F]{2})+$/, 'must be pairs of hexadecimal digits')
  salt = 'deadbeef';

  /** Besides the password: key files of ours, or RSA keys in PEM. */
  @Setting('sso.standalone.security.key-files', list) keyFiles: readonly string[] = [];
  /** Where they are encrypted PEM. */
  @Setting('sso.standalone.security.key-passphrase', secret) keyPassphrase: Secret | undefined =
    undefined;
  @Setting('sso.standalone.security.rsa.algorithm', oneOf('DEFAULT', 'OAEP'))
  rsaAlgorithm: 'DEFAULT' | 'OAEP' = 'DEFAULT';
  @Setting('sso.standalone.security.rsa.strong', boolean) rsaStrong = false;
  @Setting('sso.standalone.security.rsa.salt', text) @NotEmpty() rsaSalt = 'deadbeef';
}
