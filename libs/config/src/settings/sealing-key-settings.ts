// The settings of keys that seal what others keep for us: the first seals, all open.
import { type EnvelopeKey, parseEnvelopeKey } from '@tessera/crypto';
import { secretList } from './parsers/collections.js';
import type { Secret } from './secret.js';
import { Setting } from './setting.js';
import type { Violation } from './violation.js';

/** The class of one setting that lists keys of `tessera keygen`. @param key `sso.login.keys` */
export function sealingKeySettings(key: string) {
  class SealingKeySettings {
    @Setting(key, secretList) keys: readonly Secret[] = [];

    /** The first one seals. Empty where none is set. */
    get sealingKeys(): readonly EnvelopeKey[] {
      return this.keys.flatMap((each) => parseEnvelopeKey(each.reveal()) ?? []);
    }

    *check(): Iterable<Violation> {
      const { sealingKeys } = this;
      if (sealingKeys.length < this.keys.length) {
        yield { key, message: 'must list keys as tessera keygen prints them: v1.<id>.<key>' };
      }
      if (new Set(sealingKeys.map(({ kid }) => kid)).size < sealingKeys.length) {
        yield { key, message: 'must list keys with different ids' };
      }
    }
  }
  return SealingKeySettings;
}
