// The routes /api/v1/logout-messages of the operator's API.
import { All, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsString,
  ValidateIf,
} from 'class-validator';
import type { FailedMessage } from '@tessera/logout-messages';
import { RequestError } from '@tessera/server';
import type { Operator } from '../access/operator-access.js';
import { Caller, OperatorsOnly } from '../access/operator.guard.js';
import { AuditedChanges } from '../audited-changes.js';
import { JsonBody, QueryParameters, valid } from '../input.js';
import { type Page, PageQuery, pageOf, readCursor } from '../page.js';
import { FailedMessages } from './failed-messages.js';

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

interface MessageView {
  readonly id: string;
  readonly user: string;
  readonly service: string;
  readonly endedAt: string;
  readonly failedAt: Date;
  readonly reason: string;
}

interface MessagePage extends Page<MessageView> {
  readonly pending: number;
  readonly failed: number;
}

@Controller('api/v1/logout-messages')
@OperatorsOnly()
export class LogoutMessagesApiController {
  constructor(
    @Inject(FailedMessages) private readonly messages: FailedMessages,
    @Inject(AuditedChanges) private readonly changes: AuditedChanges,
  ) {}

  @Get()
  async list(@QueryParameters(valid(PageQuery)) query: PageQuery): Promise<MessagePage> {
    const [after] = readCursor(query, /^LR-.{1,200}$/) ?? [];
    const failed = await this.messages.list();
    const start = failed.findIndex(({ message }) => message.id === after) + 1;
    const { pending } = await this.messages.counts();
    const page = pageOf(failed.slice(start, start + query.limit + 1), query, {
      positionOf: ({ message }) => [message.id],
      view: toView,
    });
    return { ...page, pending, failed: failed.length };
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
    const retried = await this.messages.retry(ids);
    if (retried > 0) {
      this.changes.record(caller, { action: 'RETRY_LOGOUT_MESSAGES', details: { retried } });
    }
    return { retried };
  }

  @All()
  otherList(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
  }

  @All('retry')
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }
}

/** Without the ticket. */
function toView({ message, failedAt, reason }: FailedMessage): MessageView {
  const { id, principal, service, endedAt } = message;
  return { id, user: principal, service, endedAt, failedAt, reason };
}
