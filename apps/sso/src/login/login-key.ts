// Encrypts and authenticates what browsers keep for us: session cookies and the state of login forms.
import { hkdfSync } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { EnvelopeCipher, type EnvelopeKey } from '@tessera/crypto';
import type { SsoSettings } from '../settings/sso-settings.js';
import { LoginStore } from './login-store.js';
import { ssoConfig } from '../settings/namespaces.js';

const PURPOSES = ['session-cookie', 'login-form', 'consent-form', 'end-session'] as const;
/** What a text is for. A text that was sealed for one purpose cannot be opened for another. */
type Purpose = (typeof PURPOSES)[number];

/** The first seals, all open. */
type Ciphers = Readonly<Record<Purpose, readonly [EnvelopeCipher, ...EnvelopeCipher[]]>>;

/**
 * The key of cookies and forms: those of the settings, and without any the one in the database. A reader of the database
 * cannot make a session of it: a sealed value names a session by the text of its ticket, of which the database has the hash.
 */
@Injectable()
export class SealingKey implements OnModuleInit {
  private ciphers: Ciphers | undefined;

  constructor(
    @Inject(LoginStore) private readonly store: Pick<LoginStore, 'key'>,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'login'>,
  ) {}

  /** @throws any error of the database, where the key is there */
  async onModuleInit(): Promise<void> {
    const [first, ...others] = this.settings.login.sealingKeys;
    this.ciphers = first ? ciphersOf(first, others) : storedCiphers(await this.store.key());
  }

  seal(purpose: Purpose, value: unknown): Promise<string> {
    return this.ciphersFor(purpose)[0].encrypt(Buffer.from(JSON.stringify(value)));
  }

  /** The sealed value; undefined for every text that was not sealed by a key of this server for this purpose. */
  async open(purpose: Purpose, text: string): Promise<unknown> {
    for (const cipher of this.ciphersFor(purpose)) {
      const plain = await cipher.decrypt(text).catch(() => undefined);
      if (plain) return JSON.parse(plain.toString('utf8')) as unknown;
    }
    return undefined;
  }

  private ciphersFor(purpose: Purpose): Ciphers[Purpose] {
    if (this.ciphers === undefined) throw new Error('the module is not initialised');
    return this.ciphers[purpose];
  }
}

function ciphersOf(first: EnvelopeKey, others: readonly EnvelopeKey[]): Ciphers {
  return forEachPurpose((purpose) => {
    const cipherOf = ({ kid, key }: EnvelopeKey): EnvelopeCipher =>
      new EnvelopeCipher(new Uint8Array(hkdfSync('sha256', key, '', purpose, key.length)), kid);
    return [cipherOf(first), ...others.map(cipherOf)];
  });
}

function storedCiphers(key: Buffer): Ciphers {
  return forEachPurpose((purpose) => [new EnvelopeCipher(key, purpose)]);
}

function forEachPurpose(make: (purpose: Purpose) => Ciphers[Purpose]): Ciphers {
  return Object.fromEntries(PURPOSES.map((purpose) => [purpose, make(purpose)])) as Ciphers;
}
