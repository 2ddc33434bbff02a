// The settings of the keys that decrypt protected values. They never come from the files that contain such values.
import { IsNotEmpty, Matches, Max, Min } from 'class-validator';
import type { KeyFileSettings } from '../encryption/configured-keys.js';
import { list } from '../parsers/collections.js';
import { boolean, integer, oneOf, secret, text } from '../parsers/scalars.js';
import type { Secret } from '../secret.js';
import { Setting } from '../setting.js';

export class StandaloneSecurity implements KeyFileSettings {
  /** An algorithm of Jasypt, or AES-256-GCM; empty: detected from the text. */
  @Setting('sso.standalone.security.algorithm', text) algorithm = '';
  /** The password, or `@<path>` of a file with it. */
  @Setting('sso.standalone.security.password', secret) password: Secret | undefined = undefined;
  /** For Jasypt's algorithms, like the next two. */
  @Setting('sso.standalone.security.iterations', integer)
  @Min(1)
  @Max(10_000_000)
  iterations = 1_000;
  /** `SunJCE`, `BC` or empty. */
  @Setting('sso.standalone.security.provider', text) provider = '';
  /** Whether Jasypt used a generator of initialization vectors; undefined: if the algorithm needs one. */
  @Setting('sso.standalone.security.initialization-vector', boolean) hasIvGenerator:
    boolean | undefined = undefined;
  /** For keys derived from the password: AES-256-GCM and Spring's ciphers. */
  @Setting('sso.standalone.security.salt', text)
  @Matches(/^(?:[0-9a-fA-F]{2})+$/, { message: 'must be pairs of hexadecimal digits' })
  salt = 'deadbeef';

  /** Further keys: key files in our format, or RSA keys in PEM. */
  @Setting('sso.standalone.security.key-files', list) keyFiles: readonly string[] = [];
  /** For key files that are encrypted PEM. */
  @Setting('sso.standalone.security.key-passphrase', secret) keyPassphrase: Secret | undefined =
    undefined;
  @Setting('sso.standalone.security.rsa.algorithm', oneOf('DEFAULT', 'OAEP'))
  rsaAlgorithm: 'DEFAULT' | 'OAEP' = 'DEFAULT';
  @Setting('sso.standalone.security.rsa.strong', boolean) rsaStrong = false;
  @Setting('sso.standalone.security.rsa.salt', text)
  @IsNotEmpty({ message: 'must not be empty' })
  rsaSalt = 'deadbeef';
}
