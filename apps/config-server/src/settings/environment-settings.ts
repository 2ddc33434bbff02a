// Owns the settings of environments: overrides, decryption, and what is served while a backend is away.
import {
  boolean,
  hidden,
  Live,
  map,
  oneOf,
  Setting,
  text,
  type Violation,
} from '@tessera/settings';

const ENABLED = 'config-server.encrypt.enabled';
const PLAIN_TEXT = 'config-server.encrypt.plain-text-encrypt';

export class EnvironmentSettings {
  /** Properties of every environment, stronger than what any backend holds. */
  @Setting('config-server.overrides', hidden(map(text))) @Live() overrides: Readonly<
    Record<string, string>
  > = {};
  /** Whether an environment without its backend is refused, or served as the backend last told it. */
  @Setting(
    'config-server.when-unavailable',
    oneOf<'fail' | 'last-known-good'>('fail', 'last-known-good'),
  )
  whenUnavailable: 'fail' | 'last-known-good' = 'fail';
  /** Off, values are served as they are, for clients that decrypt themselves. */
  @Setting('config-server.encrypt.enabled', boolean) @Live() decrypts = true;
  @Setting('config-server.encrypt.plain-text-encrypt', boolean) @Live() decryptsFiles = false;

  *check(): Iterable<Violation> {
    if (this.decryptsFiles && !this.decrypts) {
      yield { key: PLAIN_TEXT, message: `requires ${ENABLED}` };
    }
  }
}
