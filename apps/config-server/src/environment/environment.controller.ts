// The routes of environments and plain files.
import { isUtf8 } from 'node:buffer';
import { All, Controller, Inject, NotFoundException, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import { currentClientAddress } from '@tessera/logging';
import { type Answer, isManagementRequest, RequestError, TEXT } from '@tessera/server';
import { ConfigAudit } from '../audit/config-audit.js';
import { type Outcome, outcomeOf } from '../audit/request-outcome.js';
import { CallerError } from '../callers/caller-error.js';
import { CALLERS, type Caller, type Callers } from '../callers/callers.js';
import { ConfigErrorsFilter } from '../errors/config-errors.filter.js';
import { preferredMediaType } from './content-negotiation.js';
import type { EnvironmentAnswers } from './environment-answers.js';
import { conditionalAnswer, type Representation } from './conditional-answer.js';
import { EnvironmentError } from '../errors/environment-error.js';
import {
  readEnvironmentRequest,
  type EnvironmentRequest,
  type ParsedPath,
} from './environment-request.js';
import { DownloadLimiter } from './download-limiter.js';
import { isText, type PlainFiles } from './plain-files.js';
import { KeyedAnswers } from './keyed-answers.js';
import { etagOf, type FormName } from './rendered-forms.js';
import { JSON_TYPE, V2_TYPE } from './rendering/environment-json.js';

const TEXT_TYPE = 'text/plain';
const BYTES_TYPE = 'application/octet-stream';

type FileTarget = Extract<ParsedPath, { readonly form: 'file' }>;

/** Matches every path of the public listener that no earlier route matches. @see docs/config-server.md, "Environments" */
@Controller()
@UseFilters(ConfigErrorsFilter)
export class EnvironmentController {
  constructor(
    @Inject(CALLERS) private readonly callers: Callers,
    @Inject(KeyedAnswers) private readonly keyed: Pick<KeyedAnswers, 'answers'>,
    private readonly downloads: DownloadLimiter,
    private readonly audit: ConfigAudit,
  ) {}

  @All('{*path}')
  async read(@Req() request: Request): Promise<Answer> {
    if (isManagementRequest(request)) throw new NotFoundException();
    const parsed = readEnvironmentRequest(request);
    let caller: Caller | undefined;
    try {
      const permission = parsed.target.form === 'file' ? 'files' : 'read';
      const { answers } = this.keyed;
      caller = await this.callers.admit(request, permission, parsed.target.address);
      const { answer, version } = await this.answer(parsed, answers, request);
      this.recordRead(parsed, caller, { outcome: 'success', version });
      return answer;
    } catch (error) {
      this.recordRead(parsed, caller ?? refusedCaller(error), outcomeOf(error));
      throw error;
    }
  }

  private recordRead(
    { subject }: EnvironmentRequest,
    caller: Partial<Caller>,
    outcome: Outcome & { readonly version?: string | null },
  ): void {
    const { name: principal, address: clientAddress = currentClientAddress() } = caller;
    this.audit.recordRead({ principal, clientAddress, subject, ...outcome });
  }

  /** With the version of the environment; null where there is none. */
  private async answer(
    parsed: EnvironmentRequest,
    { forms, files }: EnvironmentAnswers,
    request: Request,
  ): Promise<{ readonly answer: Answer; readonly version: string | null }> {
    const { target } = parsed;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
    }
    const { accept } = request.headers;
    if (target.form === 'file') {
      this.downloads.requireCapacity();
      const file = await fileAt(files, target, parsed.resolvesPlaceholders, accept);
      this.downloads.track(file.body.length, request.res);
      return { answer: conditionalAnswer(request, file), version: null };
    }
    const form = formOf(parsed, accept);
    const { version, ...rendered } = await forms.render(target.address, form);
    const content = target.form === 'environment' ? { ...rendered, vary: 'Accept' } : rendered;
    return { answer: conditionalAnswer(request, content), version };
  }
}

/** The client that credentials or rights were refused to, if it is known. */
function refusedCaller(error: unknown): Partial<Caller> {
  return { name: error instanceof CallerError ? error.client : undefined };
}

async function fileAt(
  files: PlainFiles,
  { address, path }: FileTarget,
  resolvesPlaceholders: boolean,
  accept: string | undefined,
): Promise<Representation> {
  const type = negotiatedType(accept, [TEXT_TYPE, JSON_TYPE, BYTES_TYPE]);
  const options = { resolvesPlaceholders, isRaw: type === BYTES_TYPE };
  const { content: body, modified } = await files.read(address, path, options);
  const hasCharset = type === TEXT_TYPE && isText(body) && isUtf8(body);
  const sent = { type: hasCharset ? TEXT : type, body, etag: etagOf(body) };
  return { ...sent, modified, vary: 'Accept' };
}

/** Only the form `environment` has several media types. */
function formOf(
  { target, resolvesPlaceholders }: EnvironmentRequest,
  accept: string | undefined,
): FormName {
  if (target.form === 'flattened') {
    return resolvesPlaceholders ? target.format : `raw-${target.format}`;
  }
  return negotiatedType(accept, [JSON_TYPE, V2_TYPE]) === V2_TYPE ? 'origins' : 'environment';
}

function negotiatedType<T extends string>(
  accept: string | undefined,
  offers: readonly [T, ...(readonly T[])],
): T {
  const type = preferredMediaType(accept, offers);
  if (type === undefined) {
    throw new EnvironmentError('ACCEPT_UNSUPPORTED', `served as ${offers.join(', ')} only`);
  }
  return type;
}
