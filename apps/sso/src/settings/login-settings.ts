// The settings of browser logins.
import { type EnvelopeKey, parseEnvelopeKey } from '@tessera/crypto';
import { type Secret, secretList, Setting, type Violation } from '@tessera/config';

const KEYS = 'sso.login.keys';
export class LoginSettings {
  /** Keys of `tessera keygen`: the first seals session cookies and login forms, all open them. */
  @Setting('sso.login.keys', secretList) keys: readonly Secret[] = [];

  /** Empty where the key in the database is used. */
  get sealingKeys(): readonly EnvelopeKey[] {
    return this.keys.flatMap((key) => parseEnvelopeKey(key.reveal()) ?? []);
  }

  *check(): Iterable<Violation> {
    const { sealingKeys } = this;
    if (sealingKeys.length < this.keys.length) {
      yield { key: KEYS, message: 'must list keys as tessera keygen prints them: v1.<id>.<key>' };
    }
    if (new Set(sealingKeys.map(({ kid }) => kid)).size < sealingKeys.length) {
      yield { key: KEYS, message: 'must list keys with different ids' };
    }
  }
}
