// The routes /api/v1/services of the operator's API.
import { Controller, Delete, Get, Headers, HttpCode, Param, Post, Put } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { managementPath } from '@tessera/server';
import {
  convertService,
  type RegisteredService,
  serviceNotFound,
  ServiceStore,
} from '@tessera/services';
import type { Answer } from '@tessera/server';
import type { Operator } from '../access/operator.js';
import { Caller, ChangesNothing, OperatorsOnly } from '../operator.guard.js';
import { createdAnswer, requiredTag, taggedAnswer } from '../entity-tag.js';
import { JsonBody, JsonText, Optional, QueryParameters, valid } from '../input.js';
import { type Page, PageQuery, pageOf, readCursor } from '../page.js';
import { DryRun, DryRunRequest, type DryRunResult } from './dry-run.js';
import { ServiceChanges } from './service-changes.js';
import {
  notesOf,
  readInput,
  withoutSalt,
  type ServiceNote,
  type ServiceView,
} from './service-view.js';

class ServiceQuery extends PageQuery {
  /** In the name, the pattern, the client id or the id, without regard to case. */
  @Optional() @IsString() @MaxLength(200) text?: string;
}

@Controller(managementPath('api/v1/services'))
@OperatorsOnly()
export class ServicesApiController {
  constructor(
    private readonly store: ServiceStore,
    private readonly changes: ServiceChanges,
    private readonly dryRuns: DryRun,
  ) {}

  @Get()
  async list(
    @QueryParameters(valid(ServiceQuery)) query: ServiceQuery,
  ): Promise<Page<ServiceView>> {
    const [after] = readCursor(query, /^\d{1,19}$/) ?? [];
    const found = (await this.store.list()).filter(contains(query.text));
    const start = found.findIndex(({ id }) => id === after) + 1;
    return pageOf(found.slice(start, start + query.limit + 1), query, {
      positionOf: ({ id }) => [id],
      view: withoutSalt,
    });
  }

  @Post()
  async add(@JsonText() body: string, @Caller() caller: Operator): Promise<Answer> {
    const { revision, registration } = await this.changes.add(readInput(body), caller);
    return createdAnswer(registration, `/api/v1/services/${registration.service.id}`, revision);
  }

  /** Reads a file of Apereo CAS, and stores nothing. */
  @Post('convert')
  @HttpCode(200)
  @ChangesNothing()
  convert(@JsonText() body: string): {
    readonly definition: object;
    readonly notes: readonly ServiceNote[];
  } {
    const converted = convertService(body);
    return { definition: converted.definition, notes: notesOf(converted) };
  }

  @Post('dry-run')
  @HttpCode(200)
  @ChangesNothing()
  tryUrl(@JsonBody(valid(DryRunRequest)) request: DryRunRequest): Promise<DryRunResult> {
    return this.dryRuns.run(request);
  }

  @Get(':id')
  async show(@Param('id') id: string): Promise<Answer> {
    const stored = await this.store.findStored(id);
    if (stored === undefined) throw serviceNotFound(id);
    return taggedAnswer(withoutSalt(stored.service), stored.revision);
  }

  @Put(':id')
  async replace(
    @Param('id') id: string,
    @JsonBody() definition: Readonly<Record<string, unknown>>,
    @Caller() caller: Operator,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Answer> {
    const tag = requiredTag(ifMatch);
    const stored = await this.changes.replace({ id, tag }, definition, caller);
    return taggedAnswer(withoutSalt(stored.service), stored.revision);
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(
    @Param('id') id: string,
    @Caller() caller: Operator,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    await this.changes.remove({ id, tag: requiredTag(ifMatch) }, caller);
  }
}

function contains(text = ''): (service: RegisteredService) => boolean {
  const searched = text.toLowerCase();
  return ({ id, name, serviceId, clientId }) =>
    id === text ||
    [name, serviceId, clientId].some((each) => each?.toLowerCase().includes(searched));
}
