// The routes of the operator's API about the server: the caller, settings, health and metrics.
import { Controller, Get, Inject } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { ExplainedCurrentSetting } from '@tessera/config';
import { loggerFor } from '@tessera/logging';
import { productVersion } from '@tessera/runtime';
import {
  Answer,
  type ApiDescription,
  apiDescriptionReader,
  managementPath,
  PROCESS_PARTS,
  type ProcessParts,
} from '@tessera/server';
import { databaseCheck } from '../../storage/database-check.js';
import { managementUrl } from '../../settings/operator-settings.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import type { Operator, OperatorRole } from '../access/operator.js';
import { Caller, OperatorsOnly } from '../operator.guard.js';
import { ProblemError } from '../problem.js';
import { ssoConfig } from '../../settings/namespaces.js';

const log = loggerFor('operator');

const readDescription = apiDescriptionReader(new URL('../openapi.yaml', import.meta.url));

interface CallerView {
  readonly name: string;
  readonly role: OperatorRole;
  readonly via: Operator['via'];
  readonly ssoUrl: string;
  readonly version: string;
}

interface Health {
  readonly status: 'ok' | 'error';
  readonly details: Readonly<
    Record<string, { readonly status: string; readonly message?: string }>
  >;
}

@Controller(managementPath('api/v1'))
@OperatorsOnly()
export class StateApiController {
  private readonly database: ReturnType<typeof databaseCheck>;

  constructor(
    @Inject(ssoConfig.KEY) private readonly sso: SsoSettings,
    @Inject(PROCESS_PARTS) private readonly process: Pick<ProcessParts, 'explain' | 'readMetrics'>,
    @Inject(getDataSourceToken()) dataSource: DataSource,
  ) {
    this.database = databaseCheck(dataSource);
  }

  @Get('me')
  me(@Caller() { name, role, via }: Operator): CallerView {
    return { name, role, via, ssoUrl: this.sso.baseUrl, version: productVersion() };
  }

  @Get('settings')
  settings(): { readonly items: readonly ExplainedCurrentSetting[] } {
    return { items: this.process.explain() };
  }

  @Get('health')
  async health(): Promise<Health> {
    const message = await this.database.check();
    const isUp = message === undefined;
    const database = isUp ? { status: 'up' } : { status: 'down', message };
    return { status: isUp ? 'ok' : 'error', details: { database } };
  }

  /** The description of the operator's API. */
  @Get('openapi.json')
  description(): Promise<ApiDescription> {
    return readDescription({ baseUrl: managementUrl(this.sso), modules: [] });
  }

  @Get('metrics')
  async metrics(): Promise<Answer> {
    try {
      const type = 'text/plain; version=0.0.4; charset=utf-8';
      return new Answer(200, type, (await this.process.readMetrics?.()) ?? '');
    } catch (error) {
      log.warn({ error }, 'the metrics cannot be read');
      throw new ProblemError('METRICS_UNAVAILABLE', 'a worker process did not answer in time');
    }
  }
}
