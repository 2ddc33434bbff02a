// The settings of environments: overrides, decryption, and the answer while a backend is unavailable.
import { boolean, hidden, map, oneOf, Setting, text, type Violation } from '@tessera/config';

const ENABLED = 'config-server.encrypt.enabled';
const PLAIN_TEXT = 'config-server.encrypt.plain-text-encrypt';

export class EnvironmentSettings {
  /** Properties of every environment; they override those of all backends. */
  @Setting('config-server.overrides', hidden(map(text))) overrides: Readonly<
    Record<string, string>
  > = {};
  /** While a backend is unavailable: an error, or its last known answer. */
  @Setting(
    'config-server.when-unavailable',
    oneOf<'fail' | 'last-known-good'>('fail', 'last-known-good'),
  )
  whenUnavailable: 'fail' | 'last-known-good' = 'fail';
  /** If off, values are served as they are, for clients that decrypt them. */
  @Setting('config-server.encrypt.enabled', boolean) decrypts = true;
  @Setting('config-server.encrypt.plain-text-encrypt', boolean) decryptsFiles = false;

  *check(): Iterable<Violation> {
    if (this.decryptsFiles && !this.decrypts) {
      yield { key: PLAIN_TEXT, message: `requires ${ENABLED}` };
    }
  }
}
