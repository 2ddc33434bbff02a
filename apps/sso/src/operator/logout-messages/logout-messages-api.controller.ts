// The routes /api/v1/logout-messages of the operator's API.
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsIn,
  IsString,
  ValidateIf,
} from 'class-validator';
import type { FailedMessage, WaitingMessage } from '@tessera/logout-messages';
import { RequestError } from '@tessera/server';
import type { Operator } from '../access/operator-access.js';
import { Caller, OperatorsOnly } from '../access/operator.guard.js';
import { AuditedChanges } from '../audited-changes.js';
import { JsonBody, Optional, QueryParameters, valid } from '../input.js';
import { type Page, PageQuery, pageOf, readCursor } from '../page.js';
import { LogoutMessages } from './logout-messages.js';

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

export const MESSAGE_STATES = ['failed', 'waiting'] as const;
type MessageState = (typeof MESSAGE_STATES)[number];

class MessageQuery extends PageQuery {
  @Optional() @IsIn(MESSAGE_STATES) state: MessageState = 'failed';
}

interface MessageView {
  readonly id: string;
  readonly state: MessageState;
  readonly user: string;
  readonly service: string;
  readonly endedAt: string;
  readonly attempts: number;
  /** Of the last attempt; null for a message that waits. */
  readonly failedAt: Date | null;
  /** Null for a message that has failed. */
  readonly nextAttemptAt: Date | null;
  /** Of the last attempt; null before the first. */
  readonly reason: string | null;
}

interface MessagePage extends Page<MessageView> {
  readonly pending: number;
  readonly failed: number;
}

@Controller('api/v1/logout-messages')
@OperatorsOnly()
export class LogoutMessagesApiController {
  constructor(
    private readonly messages: LogoutMessages,
    private readonly changes: AuditedChanges,
  ) {}

  @Get()
  async list(@QueryParameters(valid(MessageQuery)) query: MessageQuery): Promise<MessagePage> {
    const after = readCursor(query, /^\d{1,15}$/, /^LR-.{1,200}$/);
    const found = await this.find(query.state);
    const rest = found
      .toSorted((one, other) => compare(positionOf(one), positionOf(other)))
      .filter((each) => after === undefined || compare(positionOf(each), after) > 0);
    const { pending, failed } = await this.messages.counts();
    const page = pageOf(rest.slice(0, query.limit + 1), query, { positionOf, view: toView });
    return { ...page, pending, failed: query.state === 'failed' ? found.length : failed };
  }

  private find(state: MessageState): Promise<readonly ListedMessage[]> {
    return state === 'failed' ? this.messages.findFailed() : this.messages.findWaiting();
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
}

type ListedMessage = FailedMessage | WaitingMessage;
type Position = readonly string[];

/** The time and the id never change. So the next page can be found even if the last message of this one was sent since. */
function positionOf({ message }: ListedMessage): Position {
  return [String(Date.parse(message.endedAt)), message.id];
}

function compare([time, id = '']: Position, [otherTime, otherId = '']: Position): number {
  return Number(time) - Number(otherTime) || (id < otherId ? -1 : Number(id > otherId));
}

/** Without the ticket. */
function toView(listed: ListedMessage): MessageView {
  const { id, principal, service, endedAt } = listed.message;
  const isFailed = 'failedAt' in listed;
  return {
    id,
    state: isFailed ? 'failed' : 'waiting',
    user: principal,
    service,
    endedAt,
    attempts: listed.attempts,
    failedAt: isFailed ? listed.failedAt : null,
    nextAttemptAt: isFailed ? null : listed.nextAttemptAt,
    reason: listed.reason ?? null,
  };
}
