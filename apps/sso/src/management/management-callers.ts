// Owns who may manage a running server: whoever has the token, users with the role or, where neither is set, programs of a
// developer's machine. What they may then do is the affair of routes.
import type { IncomingMessage } from 'node:http';
import { equalsInConstantTime } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import {
  readAuthorization,
  reasonNotLocal,
  type AdmissionError,
  type Authorization,
  type ClientAddresses,
} from '@tessera/server';
import type { Principal } from '@tessera/services';
import type { LiveSettings } from '@tessera/settings';
import { ThrottledError } from '@tessera/throttling';
import type { Authenticator } from '../authentication/authenticator.js';
import type { LoginThrottles } from '../authentication/login-throttles.js';
import type { Dialect } from '../dialect.js';
import { RequiredRole } from '../roles/required-role.js';
import type { SsoSettings } from '../settings.js';
import { closed, throttled, unknown, withoutRole } from './management-refusals.js';

const log = loggerFor('management');

type Basic = Extract<Authorization, { scheme: 'basic' }>;

/** By what a caller was let in. */
type Proof = 'token' | 'role' | 'this machine';

/** In place of a user name where failures are counted. */
const NAME_OF_TOKEN = 'management token';

export class ManagementCallers {
  constructor(
    private readonly live: Pick<LiveSettings<SsoSettings>, 'current'>,
    private readonly authenticator: Pick<Authenticator, 'authenticate'>,
    private readonly addresses: Pick<ClientAddresses, 'of'>,
    private readonly throttles: Pick<LoginThrottles, 'at'>,
  ) {}

  /**
   * Lets a caller in by the settings in force.
   *
   * @returns who it is, for the log
   * @throws AdmissionError
   * @throws what {@link Authenticator} throws where it cannot tell
   */
  async admit(request: IncomingMessage): Promise<string> {
    const settings = this.live.current;
    const { token, hasRole } = settings.management;
    const clientAddress = this.addresses.of(request);
    if (token === undefined && !hasRole) return admitLocal(request, clientAddress, settings);
    const authorization = readAuthorization(request.headers.authorization);
    if (authorization?.scheme === 'bearer' && token !== undefined) {
      // Whoever else failed from its address: it is random, so nobody comes upon it by trying.
      const isRight = equalsInConstantTime(authorization.token, token.reveal());
      if (isRight) return admitted('token', clientAddress);
      await this.countWrongToken(clientAddress, settings);
    }
    if (authorization?.scheme === 'basic' && hasRole) {
      const principal = await this.logIn(authorization, clientAddress, settings);
      if (principal !== undefined) return admitWithRole(principal, clientAddress, settings);
    }
    throw refused({ clientAddress }, unknown(settings.management));
  }

  /** As every login over REST, so that this is no way round its throttle. */
  private async logIn(
    { name: username, password }: Basic,
    clientAddress: string,
    { dialect }: SsoSettings,
  ): Promise<Principal | undefined> {
    // A directory takes a login without a password for one of nobody, and accepts it.
    if (username === '' || password === '') return undefined;
    const type = 'UsernamePasswordCredential';
    const credential = { type, username, password, form: new Map() } as const;
    const context = { clientAddress, entrance: 'rest' } as const;
    const login = this.authenticator.authenticate(credential, context);
    return (await orRefusal(login, dialect))?.principal;
  }

  /** As a failed login from its address. */
  private async countWrongToken(address: string, { dialect }: SsoSettings): Promise<void> {
    const subject = { address, name: NAME_OF_TOKEN };
    const throttle = this.throttles.at('rest');
    const isFailure = (): boolean => true;
    await orRefusal(
      throttle.guard(subject, () => Promise.resolve(), isFailure),
      dialect,
    );
  }
}

/** @throws AdmissionError of who is throttled */
async function orRefusal<T>(attempt: Promise<T>, dialect: Dialect): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw error instanceof ThrottledError ? throttled(error, dialect) : error;
  }
}

function admitLocal(
  request: IncomingMessage,
  clientAddress: string,
  settings: SsoSettings,
): string {
  if (!settings.isActive('dev')) throw refused({ clientAddress }, closed());
  const reason = reasonNotLocal(request);
  if (reason !== undefined) throw refused({ clientAddress }, closed(reason));
  return admitted('this machine', clientAddress);
}

function admitWithRole(
  principal: Principal,
  clientAddress: string,
  { management }: SsoSettings,
): string {
  const { id } = principal;
  if (new RequiredRole(management).isHeldBy(principal)) return admitted('role', clientAddress, id);
  throw refused({ clientAddress, principal: id }, withoutRole());
}

function admitted(by: Proof, clientAddress: string, principal?: string): string {
  const who = principal !== undefined && { principal };
  log.info({ clientAddress, by, ...who }, 'a caller was admitted');
  return principal === undefined ? clientAddress : `${principal} at ${clientAddress}`;
}

/** What was sent is not told: it may be a secret in the wrong place. */
function refused(
  caller: { readonly clientAddress: string; readonly principal?: string },
  error: AdmissionError,
): AdmissionError {
  log.warn({ ...caller, reason: error.message }, 'a caller was refused');
  return error;
}
