// The routes /api/v1/sessions of the operator's API.
import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { managementPath } from '@tessera/server';
import {
  type ApplicationProtocol,
  SessionAdministration,
  type SessionDetails,
} from '@tessera/tickets';
import { LogoutProtocols } from '../../logout/logout-protocols.js';
import type { Operator } from '../access/operator.js';
import { Caller, OperatorsOnly } from '../operator.guard.js';
import { AuditedChanges } from '../audited-changes.js';
import { Optional, QueryParameters, SearchText, valid } from '../input.js';
import { A_TIME, type Page, PageQuery, pageOf, readCursor } from '../page.js';
import { ProblemError } from '../problem.js';

class SessionQuery extends PageQuery {
  @Optional() @SearchText(1_000) user?: string;
}

/** All sessions of one user; without a user none, so that nobody ends all sessions by mistake. */
class UserQuery {
  @SearchText(1_000) user!: string;
}

interface SessionView {
  readonly id: string;
  readonly user: string;
  readonly handler: string;
  readonly credentialType: string;
  readonly authenticatedAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly isRemembered: boolean;
  /** The caller is signed in with it. */
  readonly isOwn: boolean;
}

interface SessionServiceView {
  readonly protocol: ApplicationProtocol;
  /** Its URL, or the client id where `protocol` is `oidc`. */
  readonly service: string;
  readonly tickets: number;
}

interface SessionWithServices extends SessionView {
  /** Those that are told of its end, and the number of their tickets. */
  readonly services: readonly SessionServiceView[];
}

@Controller(managementPath('api/v1/sessions'))
@OperatorsOnly()
export class SessionsApiController {
  constructor(
    private readonly sessions: SessionAdministration,
    private readonly protocols: LogoutProtocols,
    private readonly changes: AuditedChanges,
  ) {}

  @Get()
  async list(
    @QueryParameters(valid(SessionQuery)) query: SessionQuery,
    @Caller() caller: Operator,
  ): Promise<Page<SessionView>> {
    const [authenticatedAt, handle] = readCursor(query, A_TIME, /^[0-9a-f]{64}$/) ?? [];
    const after =
      authenticatedAt === undefined || handle === undefined
        ? undefined
        : { authenticatedAt: new Date(authenticatedAt), handle };
    const limit = query.limit + 1;
    const found = await this.sessions.list({ principal: query.user, limit, after });
    return pageOf(found, query, {
      positionOf: ({ handle: id, authentication }) => [
        authentication.authenticatedAt.toISOString(),
        id,
      ],
      view: (details) => toView(details, caller),
    });
  }

  @Get(':id')
  async show(@Param('id') id: string, @Caller() caller: Operator): Promise<SessionWithServices> {
    const details = await this.sessions.find(id);
    if (details === undefined) throw notFound();
    const services = await this.sessions.services(details.handle);
    return {
      ...toView(details, caller),
      services: services.map(({ protocol, application, sessionIndexes }) => ({
        protocol,
        service: application,
        tickets: sessionIndexes.length,
      })),
    };
  }

  @Delete(':id')
  @HttpCode(204)
  async end(@Param('id') id: string, @Caller() caller: Operator): Promise<void> {
    const user = await this.sessions.end(id);
    if (user === undefined) throw notFound();
    this.recordEnd(user, 1, caller);
  }

  @Delete()
  async endAll(
    @QueryParameters(valid(UserQuery)) { user }: UserQuery,
    @Caller() caller: Operator,
  ): Promise<{ readonly ended: number }> {
    const ended = await this.sessions.endAll(user);
    // Afterwards: a session that still lives could open another.
    const grants = await this.protocols.endGrants(user);
    if (ended + grants > 0) this.recordEnd(user, ended, caller);
    return { ended };
  }

  private recordEnd(user: string, sessions: number, caller: Operator): void {
    this.changes.record(caller, { action: 'END_SESSIONS', subject: user, details: { sessions } });
  }
}

function toView(details: SessionDetails, { session }: Operator): SessionView {
  const { handle, authentication, lastUsedAt, expiresAt, isRemembered } = details;
  const { principal, handler, credentialType, authenticatedAt } = authentication;
  const isOwn = handle === session;
  const times = { authenticatedAt, lastUsedAt, expiresAt };
  return { id: handle, user: principal.id, handler, credentialType, ...times, isRemembered, isOwn };
}

function notFound(): ProblemError {
  return new ProblemError('SESSION_NOT_FOUND', 'there is no live session with this id');
}
