// `/monitor`: the webhook of a git host, called after a push.
import type { IncomingMessage } from 'node:http';
import { All, Controller, Inject, NotFoundException, Post, Req, UseFilters } from '@nestjs/common';
import { type Answer, json, readBody, refuseContentCoding } from '@tessera/server';
import type { Secret } from '@tessera/config';
import { Backends } from '../backends/backends.js';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import { CallerError } from '../callers/caller-error.js';
import { pathUnknown } from '../errors/environment-error.js';
import { ConfigErrorsFilter } from '../errors/config-errors.filter.js';
import type { GitSettings } from '../settings/git-settings.js';
import { gitConfig } from '../settings/namespaces.js';
import { hasToken, isSigned } from './webhook-signature.js';

/** In bytes. A push of many commits has a long description. */
const MAX_BODY_SIZE = 1_048_576;

/** @see docs/config-server.md, "Webhook" */
@Controller('monitor')
@UseFilters(ConfigErrorsFilter)
export class MonitorController {
  constructor(
    private readonly backends: Backends,
    @Inject(gitConfig.KEY)
    private readonly git: Pick<GitSettings, 'webhookSecret' | 'webhookToken'>,
  ) {}

  /**
   * Refreshes the backends, and answers with their names afterwards. The branch does not matter, and the same webhook may
   * be sent again.
   */
  @Post()
  async refresh(@Req() request: IncomingMessage): Promise<Answer> {
    const { secret, token } = this.credentials();
    refuseContentCoding(request);
    const body = await readBody(request, MAX_BODY_SIZE);
    const { headers } = request;
    const isAllowed =
      (secret !== undefined && isSigned(headers, body, secret)) ||
      (token !== undefined && hasToken(headers, token));
    if (!isAllowed) {
      throw new CallerError('CALLER_NOT_ALLOWED', 'the request is not signed with the secret');
    }
    const refreshed = this.backends.all.filter(isRefreshable);
    await Promise.all(refreshed.map((backend) => backend.refresh()));
    return json(
      200,
      refreshed.map(({ name }) => name),
    );
  }

  @All()
  other(): never {
    this.credentials();
    throw new NotFoundException();
  }

  /** @throws EnvironmentError PATH_UNKNOWN where neither is set: there is no webhook then */
  private credentials(): { secret: Secret | undefined; token: Secret | undefined } {
    const [secret, token] = [this.git.webhookSecret, this.git.webhookToken].map((each) =>
      each?.reveal() === '' ? undefined : each,
    );
    if (secret === undefined && token === undefined) throw pathUnknown();
    return { secret, token };
  }
}

function isRefreshable(
  backend: EnvironmentBackend,
): backend is EnvironmentBackend & Required<Pick<EnvironmentBackend, 'refresh'>> {
  return backend.refresh !== undefined;
}
