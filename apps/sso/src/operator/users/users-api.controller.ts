// The routes /api/v1/users of the operator's API: the accounts of the database.
import { Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { managementPath } from '@tessera/server';
import { AccountStore, type AccountSummary } from '@tessera/accounts';
import type { Answer } from '@tessera/server';
import type { Operator } from '../access/operator.js';
import { Caller, OperatorsOnly } from '../operator.guard.js';
import { createdAnswer, requiredTag, taggedAnswer } from '../entity-tag.js';
import { JsonBody, Optional, QueryParameters, SearchText, valid } from '../input.js';
import { type Page, PageQuery, pageOf, readCursor } from '../page.js';
import { AccountAddition, AccountEdit } from './user.dto.js';
import { required, UserChanges } from './user-changes.js';

class UserQuery extends PageQuery {
  /** The start of the names. */
  @Optional() @SearchText(255) text?: string;
}

type UserView = Omit<AccountSummary, 'revision'>;

@Controller(managementPath('api/v1/users'))
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
  ): Promise<Answer> {
    const added = await this.changes.add(account, caller);
    const location = `/api/v1/users/${encodeURIComponent(added.name)}`;
    return createdAnswer(toView(added), location, added.revision);
  }

  @Get(':name')
  async show(@Param('name') name: string): Promise<Answer> {
    const account = required(await this.accounts.findSummary(name), name);
    return taggedAnswer(toView(account), account.revision);
  }

  @Patch(':name')
  async change(
    @Param('name') name: string,
    @JsonBody(valid(AccountEdit)) edit: AccountEdit,
    @Caller() caller: Operator,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Answer> {
    const tag = requiredTag(ifMatch);
    const account = await this.changes.change({ name, tag }, edit, caller);
    return taggedAnswer(toView(account), account.revision);
  }

  @Delete(':name')
  @HttpCode(204)
  async remove(
    @Param('name') name: string,
    @Caller() caller: Operator,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    await this.changes.remove({ name, tag: requiredTag(ifMatch) }, caller);
  }
}

function toView({ revision: _revision, ...shown }: AccountSummary): UserView {
  return shown;
}
