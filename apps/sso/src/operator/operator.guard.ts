// Admits operators: those with the role read-only to what changes nothing, and pages of no other site.
import type { IncomingMessage } from 'node:http';
import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AdmissionError } from '@tessera/server';
import { managementUrl } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { API } from './access/accepted-proofs.js';
import { OperatorAccess } from './access/operator-access.js';
import type { Operator } from './access/operator.js';
import { forbidden } from './access/refusal.js';
import { ssoConfig } from '../settings/namespaces.js';

const SAFE_METHODS: readonly unknown[] = ['GET', 'HEAD'];
const CHANGES_NOTHING = 'operator:changes-nothing';
const OTHER_SITE = 'the request was sent by another site';

const operators = new WeakMap<IncomingMessage, Operator>();

/** The caller that the guard admitted. */
export const Caller: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => operators.get(requestOf(context)),
);

/** A route of another method than GET that the role read-only may use. */
export const ChangesNothing = (): MethodDecorator => SetMetadata(CHANGES_NOTHING, true);

@Injectable()
class OperatorGuard implements CanActivate {
  constructor(
    private readonly access: OperatorAccess,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly reflector: Reflector,
  ) {}

  /** @throws AdmissionError, and errors of {@link OperatorAccess.of} */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const operator = await this.access.of(request, API);
    const reason = this.reasonAgainst(operator, context);
    if (reason !== undefined) throw forbidden(request, reason, operator.name);
    operators.set(request, operator);
    return true;
  }

  /** Why this caller may not use the route; undefined where he may. */
  private reasonAgainst({ via, role }: Operator, context: ExecutionContext): string | undefined {
    const request = requestOf(context);
    if (SAFE_METHODS.includes(request.method)) return undefined;
    // A browser sends the cookie by itself, but no token.
    const isBrowser = via === 'session';
    if (isBrowser && !isOwnSite(request, managementUrl(this.settings))) return OTHER_SITE;
    const isReading = this.reflector.get(CHANGES_NOTHING, context.getHandler()) === true;
    return role === 'operator' || isReading ? undefined : 'the role read-only changes nothing';
  }
}

/** The controllers of the operator's API. */
export const OperatorsOnly = (): ClassDecorator =>
  applyDecorators(UseGuards(OperatorGuard), UseFilters(ProblemDetailsFilter));

/** @throws AdmissionError CALLER_NOT_ALLOWED */
export function refuseOtherSites(request: IncomingMessage, ownUrl: string): void {
  if (isOwnSite(request, ownUrl)) return;
  throw new AdmissionError('CALLER_NOT_ALLOWED', 403, OTHER_SITE);
}

/** Browsers name the origin in each request that is not GET or HEAD. */
function isOwnSite({ headers }: IncomingMessage, ownUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === new URL(ownUrl).origin : site === 'same-origin';
}

function requestOf(context: ExecutionContext): IncomingMessage {
  return context.switchToHttp().getRequest<IncomingMessage>();
}
