// Owns /monitor: a webhook that says that something was pushed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { readBody, refuseContentCoding, RequestError, send } from '@tessera/server';
import type { Secret } from '@tessera/settings';
import type { EnvironmentBackend } from '../backends/environment-backend.js';
import { CallerError } from '../callers/caller-error.js';
import { pathUnknown } from '../environment/environment-request.js';
import { JsonErrorsFilter } from '../environment/json-errors.filter.js';
import { JSON_TYPE } from '../environment/rendering/environment-json.js';
import { isSigned } from './webhook-signature.js';
import { WEBHOOK, type Webhook } from './webhook.js';

/** In bytes. Pushes of many commits are described at length. */
const LARGEST_BODY = 1_048_576;

/** @see docs/config-server.md, "Webhook" */
@Controller('monitor')
@UseFilters(JsonErrorsFilter)
export class MonitorController {
  constructor(@Inject(WEBHOOK) private readonly webhook: Webhook) {}

  /**
   * Answers once the backends have seen what was pushed, with their names. Which branch it was does not matter, and one
   * that is sent again does no harm.
   */
  @Post()
  async refresh(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const secret = this.secret();
    refuseContentCoding(request);
    const body = await readBody(request, LARGEST_BODY);
    if (!isSigned(request.headers, body, secret)) {
      throw new CallerError('CALLER_NOT_ALLOWED', 'the request is not signed with the secret');
    }
    const refreshed = this.webhook.backends.filter(isRefreshable);
    await Promise.all(refreshed.map((backend) => backend.refresh()));
    const names = JSON.stringify(refreshed.map(({ name }) => name));
    send(response, { status: 200, type: JSON_TYPE, body: names });
  }

  @All()
  other(): never {
    this.secret();
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }

  /** Where there is none, there is no such path either, as where nobody has asked for one. */
  private secret(): Secret {
    const secret = this.webhook.secret();
    if (secret === undefined || secret.reveal() === '') throw pathUnknown();
    return secret;
  }
}

function isRefreshable(
  backend: EnvironmentBackend,
): backend is EnvironmentBackend & Required<Pick<EnvironmentBackend, 'refresh'>> {
  return backend.refresh !== undefined;
}
