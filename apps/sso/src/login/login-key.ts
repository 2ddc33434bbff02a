// Encrypts and authenticates what browsers keep for us: session cookies and the state of login forms.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { EnvelopeCipher } from '@tessera/crypto';
import { LoginStore } from './login-store.js';

/** What a text is for. A text that was sealed for one purpose cannot be opened for another. */
type Purpose = 'session-cookie' | 'login-form' | 'operator-session';

@Injectable()
export class LoginKey implements OnModuleInit {
  private ciphers: Readonly<Record<Purpose, EnvelopeCipher>> | undefined;

  constructor(@Inject(LoginStore) private readonly store: LoginStore) {}

  async onModuleInit(): Promise<void> {
    const key = await this.store.key();
    this.ciphers = {
      'session-cookie': new EnvelopeCipher(key, 'session-cookie'),
      'login-form': new EnvelopeCipher(key, 'login-form'),
      'operator-session': new EnvelopeCipher(key, 'operator-session'),
    };
  }

  seal(purpose: Purpose, value: unknown): Promise<string> {
    return this.cipherOf(purpose).encrypt(Buffer.from(JSON.stringify(value)));
  }

  /** The sealed value; undefined for every text that was not sealed by this key for this purpose. */
  async open(purpose: Purpose, text: string): Promise<unknown> {
    const plain = await this.cipherOf(purpose)
      .decrypt(text)
      .catch(() => undefined);
    return plain && (JSON.parse(plain.toString('utf8')) as unknown);
  }

  private cipherOf(purpose: Purpose): EnvelopeCipher {
    if (this.ciphers === undefined) throw new Error('the module is not initialised');
    return this.ciphers[purpose];
  }
}
