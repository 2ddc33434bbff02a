// The parameters of new password hashes of the handler `accounts`. @see RFC 9106
import { Max, Min } from 'class-validator';
import { DEFAULT_ARGON2_PARAMETERS } from '@tessera/crypto';
import { integer, Setting } from '@tessera/config';

export class Argon2Settings {
  /** In KiB. */
  @Setting('sso.authentication.accounts.argon2.memory', integer)
  @Min(8)
  @Max(262_144)
  memory = DEFAULT_ARGON2_PARAMETERS.memory;
  @Setting('sso.authentication.accounts.argon2.iterations', integer)
  @Min(1)
  @Max(64)
  iterations = DEFAULT_ARGON2_PARAMETERS.iterations;
  @Setting('sso.authentication.accounts.argon2.parallelism', integer)
  @Min(1)
  @Max(16)
  parallelism = DEFAULT_ARGON2_PARAMETERS.parallelism;
}
