// Counts clients that do not prove who they are, as failed logins are counted. @see docs/throttling.md
import { Injectable } from '@nestjs/common';
import { errors } from 'oidc-provider';
import { PasswordHashing } from '@tessera/crypto';
import { currentClientAddress } from '@tessera/logging';
import { ThrottledError } from '@tessera/throttling';
import { LoginThrottles } from '../../authentication/login-throttles.js';

/** The client is refused after too many failures. */
export class ThrottledClient extends errors.OIDCProviderError {
  override error_description = 'too many failures: try again later';

  /** @param retryAfter seconds */
  constructor(readonly retryAfter: number) {
    super(429, 'temporarily_unavailable');
  }
}

/** A failure that has been counted. */
class CountedFailure extends errors.InvalidClientAuth {}

const hasFailed = (): Promise<boolean> => Promise.resolve(false);

@Injectable()
export class ClientThrottle {
  constructor(
    private readonly throttles: LoginThrottles,
    private readonly hashing: PasswordHashing,
  ) {}

  /**
   * Whether a secret has one of these hashes. Such a secret may be a word that can be guessed, so a failure is reserved before:
   * callers that are blocked do not learn whether they are right.
   *
   * @throws CountedFailure, ThrottledClient
   * @throws CryptoError PASSWORD_HASHING_BUSY
   */
  async hasPassword(clientId: string, secret: string, hashes: readonly string[]): Promise<true> {
    const attempt = (): Promise<boolean> => this.isAnyOf(hashes, secret);
    if (await this.guard(clientId, attempt)) return true;
    throw new CountedFailure('invalid secret provided');
  }

  /**
   * Counts a failure, unless {@link hasPassword} has: of a random secret or token or of a key, which nobody can guess, or of a
   * client that is not registered. The right ones are taken from blocked callers too.
   *
   * @returns the error that the client gets
   */
  async count(error: errors.OIDCProviderError, clientId = ''): Promise<errors.OIDCProviderError> {
    if (error instanceof CountedFailure) return error;
    try {
      await this.guard(clientId, hasFailed);
      return error;
    } catch (throttled) {
      if (throttled instanceof ThrottledClient) return throttled;
      throw throttled;
    }
  }

  private async guard(name: string, attempt: () => Promise<boolean>): Promise<boolean> {
    const subject = { address: currentClientAddress() ?? '', name };
    try {
      return await this.throttles.clients.guard(subject, attempt, (isRight) => !isRight);
    } catch (error) {
      if (error instanceof ThrottledError) throw new ThrottledClient(error.retryAfter);
      throw error;
    }
  }

  private async isAnyOf(hashes: readonly string[], secret: string): Promise<boolean> {
    for (const hash of hashes) {
      if (await this.hashing.verify(hash, secret)) return true;
    }
    return false;
  }
}
