// Owns the routes of environments and plain files. What the paths mean is environment-path's affair.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { RequestError, TEXT } from '@tessera/server';
import { CALLERS, type Callers } from '../callers/callers.js';
import { preferred } from './accept.js';
import { sendConditional } from './conditional-answer.js';
import { EnvironmentError } from './environment-error.js';
import { readEnvironmentRequest, type EnvironmentRequest } from './environment-request.js';
import { Environments } from './environments.js';
import { JsonErrorsFilter } from './json-errors.filter.js';
import { PlainFiles } from './plain-files.js';
import { etagOf, RenderedForms, type FormName } from './rendered-forms.js';
import { JSON_TYPE, V2_TYPE } from './rendering/environment-json.js';

const TEXT_TYPE = 'text/plain';
const BYTES = 'application/octet-stream';

/** All paths that no other route takes, so its module comes last. @see docs/config-server.md, "Environments" */
@Controller()
@UseFilters(JsonErrorsFilter)
export class EnvironmentController {
  constructor(
    @Inject(CALLERS) private readonly callers: Callers,
    @Inject(Environments) private readonly environments: Environments,
    @Inject(RenderedForms) private readonly forms: RenderedForms,
    @Inject(PlainFiles) private readonly files: PlainFiles,
  ) {}

  @All('{*path}')
  async answer(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const wanted = readEnvironmentRequest(request);
    const { asked } = wanted;
    const permission = asked.form === 'file' ? 'files' : 'read';
    await this.callers.admit(request, permission, asked.address);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
    }
    if (asked.form === 'file') return this.sendFile(asked.path, wanted, request, response);
    const form = formOf(wanted, request.headers.accept);
    const environment =
      this.environments.known(asked.address) ?? (await this.environments.find(asked.address));
    const rendered = this.forms.of(environment, form);
    const answer = asked.form === 'environment' ? { ...rendered, vary: 'Accept' } : rendered;
    sendConditional(request, response, answer);
  }

  private async sendFile(
    path: string,
    { asked: { address }, resolvesPlaceholders }: EnvironmentRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const type = wantedType(request.headers.accept, [TEXT_TYPE, JSON_TYPE, BYTES]);
    const treatment = { resolvesPlaceholders, isRaw: type === BYTES };
    const { content, modified } = await this.files.read(address, path, treatment);
    const answer = { body: content, etag: etagOf(content), modified, vary: 'Accept' };
    sendConditional(request, response, { ...answer, type: type === TEXT_TYPE ? TEXT : type });
  }
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
  const type = preferred(accept, offers);
  if (type === undefined) {
    throw new EnvironmentError('ACCEPT_UNSUPPORTED', `served as ${offers.join(', ')} only`);
  }
  return type;
}
