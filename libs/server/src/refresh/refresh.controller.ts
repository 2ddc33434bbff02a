// Owns /actuator/refresh: settings are read anew, and the caller learns which have changed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { send, type Answer } from '../answer.js';
import { readBody } from '../body.js';
import { RequestError } from '../request-error.js';
import { REFRESH, type RefreshOptions, type RefreshOutcome } from './refresh.js';

const PATH = 'actuator/refresh';
/** In bytes. It has no meaning; what a client sends out of habit is small. */
const LARGEST_BODY = 65_536;

@Controller(PATH)
export class RefreshController {
  constructor(@Inject(REFRESH) private readonly refresh: RefreshOptions) {}

  @Post()
  async reload(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const caller = await this.refresh.admit(request);
    await readBody(request, LARGEST_BODY);
    const outcome = await this.refresh.reload(`POST /${PATH} from ${caller}`);
    send(response, answerOf(outcome));
  }

  @All()
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }
}

function answerOf(outcome: RefreshOutcome): Answer {
  if ('problems' in outcome) {
    const { problems } = outcome;
    const message = 'nothing was changed: the settings in force stay';
    return json(409, { code: 'SETTINGS_INVALID', message, problems });
  }
  const { changed, restart } = outcome;
  const keys = [...new Set([...changed, ...restart])]
    .toSorted()
    .map((key) => (restart.includes(key) ? `${key} (restart required)` : key));
  return json(200, keys);
}

function json(status: number, content: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(content) };
}
