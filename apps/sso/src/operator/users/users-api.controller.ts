// The routes /api/v1/users of the operator's API: the accounts of the database.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { AccountStore, type AccountSummary } from '@tessera/accounts';
import type { Operator } from '../access/operator-access.js';
import { Caller, OperatorsOnly } from '../access/operator.guard.js';
import { requiredTag, setEntityTag } from '../entity-tag.js';
import { JsonBody, Optional, QueryParameters, SearchText, valid } from '../input.js';
import { type Page, PageQuery, pageOf, readCursor } from '../page.js';
import { AccountAddition, AccountEdit } from './user.dto.js';
import { required, UserChanges } from './user-changes.js';

class UserQuery extends PageQuery {
  /** The start of the names. */
  @Optional() @SearchText(255) text?: string;
}

type UserView = Omit<AccountSummary, 'revision'>;

@Controller('api/v1/users')
@OperatorsOnly()
export class UsersApiController {
  constructor(
    private readonly accounts: AccountStore,
    private readonly changes: UserChanges,
  ) {}

  @Get()
  async list(@QueryParameters(valid(UserQuery)) query: UserQuery): Promise<Page<UserView>> {
    const [after] = readCursor(query, /^[^\0]{1,1000}$/) ?? [];
    const limit = query.limit + 1;
    const accounts = await this.accounts.list({ limit, after, prefix: query.text });
    return pageOf(accounts, query, { positionOf: ({ name }) => [name], view: toView });
  }

  @Post()
  async add(
    @JsonBody(valid(AccountAddition)) account: AccountAddition,
    @Caller() caller: Operator,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<UserView> {
    const added = await this.changes.add(account, caller);
    response.setHeader('Location', `/api/v1/users/${encodeURIComponent(added.name)}`);
    return show(added, response);
  }

  @Get(':name')
  async show(
    @Param('name') name: string,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<UserView> {
    return show(required(await this.accounts.findSummary(name), name), response);
  }

  @Patch(':name')
  async change(
    @Param('name') name: string,
    @JsonBody(valid(AccountEdit)) edit: AccountEdit,
    @Caller() caller: Operator,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<UserView> {
    const tag = requiredTag(response.req);
    return show(await this.changes.change({ name, tag }, edit, caller), response);
  }

  @Delete(':name')
  @HttpCode(204)
  async remove(
    @Param('name') name: string,
    @Caller() caller: Operator,
    @Req() request: IncomingMessage,
  ): Promise<void> {
    await this.changes.remove({ name, tag: requiredTag(request) }, caller);
  }
}

function show(account: AccountSummary, response: ServerResponse): UserView {
  setEntityTag(response, account.revision);
  return toView(account);
}

function toView({ revision: _revision, ...shown }: AccountSummary): UserView {
  return shown;
}
