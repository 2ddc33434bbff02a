// The routes /api/v1/logout-messages of the operator's API.
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsIn,
  IsString,
  ValidateIf,
} from 'class-validator';
import { RequestError, managementPath } from '@tessera/server';
import { LogoutQueue, type LogoutMessageState, type QueuedLogoutMessage } from '@tessera/tickets';
import type { SsoSettings } from '../../settings/sso-settings.js';
import type { Operator } from '../access/operator.js';
import { Caller, OperatorsOnly } from '../operator.guard.js';
import { AuditedChanges } from '../audited-changes.js';
import { JsonBody, Optional, QueryParameters, valid } from '../input.js';
import { A_TIME, type Page, PageQuery, pageOf, readCursor } from '../page.js';
import { ProblemError } from '../problem.js';
import { ssoConfig } from '../../settings/namespaces.js';

/** Either ids, or all. */
class RetryRequest {
  @ValidateIf(({ all }: RetryRequest) => all === undefined)
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(1_000)
  @IsString({ each: true })
  ids?: string[];

  @ValidateIf(({ all }: RetryRequest) => all !== undefined)
  @Equals(true, { message: 'must be true' })
  all?: true;
}

export const MESSAGE_STATES: readonly LogoutMessageState[] = ['failed', 'waiting'];

class MessageQuery extends PageQuery {
  @Optional() @IsIn(MESSAGE_STATES) state: LogoutMessageState = 'failed';
}

interface MessageView extends Omit<
  QueuedLogoutMessage,
  'principal' | 'application' | 'sessionIndex'
> {
  readonly state: LogoutMessageState;
  readonly user: string;
  /** Its URL, or the client id where `protocol` is `oidc`. */
  readonly service: string;
}

interface MessagePage extends Page<MessageView> {
  readonly pending: number;
  readonly failed: number;
}

@Controller(managementPath('api/v1/logout-messages'))
@OperatorsOnly()
export class LogoutMessagesApiController {
  constructor(
    private readonly queue: LogoutQueue,
    private readonly changes: AuditedChanges,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  @Get()
  async list(@QueryParameters(valid(MessageQuery)) query: MessageQuery): Promise<MessagePage> {
    this.requireSingleLogout();
    const [endedAt, id] = readCursor(query, A_TIME, /^LR-.{1,200}$/) ?? [];
    const after =
      endedAt === undefined || id === undefined ? undefined : { endedAt: new Date(endedAt), id };
    const { state, limit } = query;
    const found = await this.queue.list({ state, limit: limit + 1, after });
    return {
      ...pageOf(found, query, {
        positionOf: (message) => [message.endedAt.toISOString(), message.id],
        view: (message) => toView(message, state),
      }),
      ...(await this.queue.counts()),
    };
  }

  @Post('retry')
  @HttpCode(200)
  async retry(
    @JsonBody(valid(RetryRequest)) { ids, all }: RetryRequest,
    @Caller() caller: Operator,
  ): Promise<{ readonly retried: number }> {
    if (ids !== undefined && all !== undefined) {
      throw new RequestError('MALFORMED_REQUEST', 'give either ids or all');
    }
    this.requireSingleLogout();
    const retried = await this.queue.retry(ids);
    if (retried > 0) {
      this.changes.record(caller, { action: 'RETRY_LOGOUT_MESSAGES', details: { retried } });
    }
    return { retried };
  }

  private requireSingleLogout(): void {
    if (!this.settings.singleLogout) {
      throw new ProblemError('LOGOUT_MESSAGES_DISABLED', 'sso.logout.enabled is false');
    }
  }
}

/** Without the session index, which is a ticket. */
function toView(message: QueuedLogoutMessage, state: LogoutMessageState): MessageView {
  const { id, principal, protocol, application, attempts, reason } = message;
  const { endedAt, failedAt, nextAttemptAt } = message;
  const times = { endedAt, failedAt, nextAttemptAt };
  return { id, state, user: principal, protocol, service: application, attempts, ...times, reason };
}
