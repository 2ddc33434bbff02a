// The routes of environments and plain files.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { RequestError, TEXT } from '@tessera/server';
import { CALLERS, type Callers } from '../callers/callers.js';
import { preferredMediaType } from './content-negotiation.js';
import { sendConditional, type ConditionalAnswer } from './conditional-answer.js';
import { EnvironmentError } from './environment-error.js';
import type { ParsedPath } from './environment-path.js';
import { readEnvironmentRequest, type EnvironmentRequest } from './environment-request.js';
import { DownloadLimiter } from './download-limiter.js';
import { JsonErrorsFilter } from './json-errors.filter.js';
import type { PlainFiles } from './plain-files.js';
import { ReloadableAnswers } from './reloadable-answers.js';
import { etagOf, type FormName } from './rendered-forms.js';
import { JSON_TYPE, V2_TYPE } from './rendering/environment-json.js';

const TEXT_TYPE = 'text/plain';
const BYTES = 'application/octet-stream';

type AskedFile = Extract<ParsedPath, { readonly form: 'file' }>;

/** All paths that no other route takes, so its module comes last. @see docs/config-server.md, "Environments" */
@Controller()
@UseFilters(JsonErrorsFilter)
export class EnvironmentController {
  constructor(
    @Inject(CALLERS) private readonly callers: Callers,
    @Inject(ReloadableAnswers) private readonly reloadable: Pick<ReloadableAnswers, 'answers'>,
    @Inject(DownloadLimiter) private readonly downloads: DownloadLimiter,
  ) {}

  @All('{*path}')
  async answer(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const wanted = readEnvironmentRequest(request);
    const { asked } = wanted;
    const permission = asked.form === 'file' ? 'files' : 'read';
    const { environments, forms, files } = this.reloadable.answers;
    await this.callers.admit(request, permission, asked.address);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
    }
    const { accept } = request.headers;
    if (asked.form === 'file') {
      this.downloads.requireRoom();
      const file = await fileAnswer(files, asked, wanted.resolvesPlaceholders, accept);
      this.downloads.begin(file.body.length, response);
      return sendConditional(request, response, file);
    }
    const form = formOf(wanted, accept);
    const environment =
      environments.known(asked.address) ?? (await environments.find(asked.address));
    const rendered = forms.of(environment, form);
    const answer = asked.form === 'environment' ? { ...rendered, vary: 'Accept' } : rendered;
    sendConditional(request, response, answer);
  }
}

async function fileAnswer(
  files: PlainFiles,
  { address, path }: AskedFile,
  resolvesPlaceholders: boolean,
  accept: string | undefined,
): Promise<ConditionalAnswer & { readonly body: Buffer }> {
  const type = wantedType(accept, [TEXT_TYPE, JSON_TYPE, BYTES]);
  const treatment = { resolvesPlaceholders, isRaw: type === BYTES };
  const { content: body, modified } = await files.read(address, path, treatment);
  const sent = { type: type === TEXT_TYPE ? TEXT : type, body, etag: etagOf(body) };
  return { ...sent, modified, vary: 'Accept' };
}

/** Only an environment as such comes in several types. */
function formOf(
  { asked, resolvesPlaceholders }: EnvironmentRequest,
  accept: string | undefined,
): FormName {
  if (asked.form === 'flattened') {
    return resolvesPlaceholders ? asked.format : `raw-${asked.format}`;
  }
  return wantedType(accept, [JSON_TYPE, V2_TYPE]) === V2_TYPE ? 'origins' : 'environment';
}

function wantedType<T extends string>(
  accept: string | undefined,
  offers: readonly [T, ...(readonly T[])],
): T {
  const type = preferredMediaType(accept, offers);
  if (type === undefined) {
    throw new EnvironmentError('ACCEPT_UNSUPPORTED', `served as ${offers.join(', ')} only`);
  }
  return type;
}
