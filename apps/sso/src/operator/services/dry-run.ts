// Which service gets a URL, whether a user may use it, and what it would be told. Nothing is changed.
import { Inject, Injectable } from '@nestjs/common';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { AccountStore } from '@tessera/accounts';
import {
  type AttributePatterns,
  type Attributes,
  isEnabled,
  type LogoutType,
  missingAttributes,
  type Principal,
  type RegisteredService,
  rejectingAttributes,
  release,
  ServiceRegistry,
} from '@tessera/services';
import { canonicalService, SessionAdministration } from '@tessera/tickets';
import { RequestError } from '@tessera/server';
import { isRedirectable } from '../../protocol/redirect-url.js';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { Optional, SearchText } from '../input.js';
import { definitionOf } from './service-view.js';

export class DryRunRequest {
  @IsString() @MaxLength(4_000) url!: string;
  /** The user name; his attributes are those of his account, or else of his last session. */
  @Optional() @SearchText(255) user?: string;
  /** Attributes of the user, instead of those that are known. */
  @Optional() @IsObject() attributes?: Record<string, unknown>;
  /** A service that is not stored. */
  @Optional() @IsObject() definition?: Record<string, unknown>;
  /** The id of the service in place of which the definition takes part. */
  @Optional()
  @Matches(/^\d{1,18}$/, { message: 'must be the id of a service' })
  replaces?: string;
}

/** In the order of the checks. */
export const REFUSAL_REASONS = [
  'SERVICE_NOT_REGISTERED',
  'SPELLING_BELONGS_TO_ANOTHER_SERVICE',
  'SERVICE_DISABLED',
  'URL_NOT_ALLOWED',
  'USER_UNKNOWN',
  'ACCOUNT_DISABLED',
  'ATTRIBUTES_MISSING',
  'ATTRIBUTES_REJECTED',
] as const;
type RefusalReason = (typeof REFUSAL_REASONS)[number];

interface Match {
  /** Null for a new service that is not stored. */
  readonly id: string | null;
  readonly name: string;
  readonly evaluationOrder: number;
  readonly enabled: boolean;
  readonly isDraft: boolean;
}

export interface DryRunResult {
  /** The services that match, of which the first decides. */
  readonly matches: readonly Match[];
  readonly decision: 'allowed' | 'refused';
  readonly reason: RefusalReason | null;
  /** The reason in a sentence. */
  readonly detail: string;
  /** Of each attribute, the patterns of which the user needs a value of one. */
  readonly missingAttributes: AttributePatterns;
  /** What the service gets; null without a user, and for one that is refused. The user is null for a pseudonym. */
  readonly released: { readonly user: string | null; readonly attributes: Attributes } | null;
  readonly logout: { readonly type: LogoutType; readonly url: string } | null;
}

/** The id of a draft that replaces no service. No stored service has it. */
const NEW = '0';

@Injectable()
export class DryRun {
  constructor(
    private readonly services: ServiceRegistry,
    private readonly accounts: AccountStore,
    private readonly sessions: SessionAdministration,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /** @throws InvalidServiceError for an invalid definition; RequestError for attributes that are not lists of texts */
  async run(request: DryRunRequest): Promise<DryRunResult> {
    const draft = draftOf(request);
    const snapshot = await this.services.snapshotWith(draft);
    const matching = snapshot.matchAll(request.url);
    const owners = snapshot.owners(canonicalService(request.url));
    const { principal, isDisabled } = await this.userOf(request);
    const [service] = matching;
    const other = owners.find(({ id }) => id !== service?.id);
    const {
      reason,
      detail,
      missing = {},
    } = judge(request, { service, other, principal, isDisabled });
    const isAllowed = reason === null && service !== undefined;
    return {
      matches: matching.map((each) => toMatch(each, draft)),
      decision: isAllowed ? 'allowed' : 'refused',
      reason,
      detail,
      missingAttributes: missing,
      released: isAllowed && principal !== undefined ? this.released(service, principal) : null,
      logout: service === undefined ? null : logoutOf(service, request.url),
    };
  }

  private released(service: RegisteredService, principal: Principal): DryRunResult['released'] {
    const { id, attributes } = release(service, principal, this.settings.defaultAttributes);
    const isPseudonym = service.usernameAttribute.kind === 'anonymous';
    return { user: isPseudonym ? null : id, attributes };
  }

  private async userOf({ user, attributes }: DryRunRequest): Promise<User> {
    if (user === undefined) return { principal: undefined, isDisabled: false };
    const account = await this.accounts.find(user);
    const isDisabled = account !== undefined && (account.disabled || account.expired);
    if (attributes !== undefined) {
      return { principal: { id: user, attributes: readAttributes(attributes) }, isDisabled };
    }
    if (account !== undefined) {
      return { principal: { id: account.name, attributes: account.attributes }, isDisabled };
    }
    const [session] = await this.sessions.list({ principal: user, limit: 1 });
    return { principal: session?.authentication.principal, isDisabled };
  }
}

interface User {
  readonly principal: Principal | undefined;
  /** Whether the account of this name is disabled or expired. */
  readonly isDisabled: boolean;
}

interface Situation extends User {
  readonly service: RegisteredService | undefined;
  /** Another service to which the canonical spelling of the URL belongs. */
  readonly other: RegisteredService | undefined;
}

interface Judgement {
  readonly reason: RefusalReason | null;
  readonly detail: string;
  readonly missing?: AttributePatterns;
}

const NOT_REDIRECTABLE =
  'The login page redirects to no such URL: it must be http or https, with a host without spaces, and without a ' +
  'user, control characters or backslashes. REST does not check this.';

function judge({ url, user }: DryRunRequest, situation: Situation): Judgement {
  const { service, other } = situation;
  if (service === undefined) {
    const detail =
      'No registered service matches this URL, both as written and as a URL parser reads it.';
    return { reason: 'SERVICE_NOT_REGISTERED', detail };
  }
  const name = JSON.stringify(service.name);
  if (other !== undefined) {
    const detail = `${name} matches this URL, but its usual spelling belongs to ${JSON.stringify(other.name)}.`;
    return { reason: 'SPELLING_BELONGS_TO_ANOTHER_SERVICE', detail };
  }
  if (!isEnabled(service, Date.now())) {
    const state = service.enabled ? `expired at ${service.expiresAt}` : 'is disabled';
    return { reason: 'SERVICE_DISABLED', detail: `${name} ${state}.` };
  }
  if (!isRedirectable(url)) return { reason: 'URL_NOT_ALLOWED', detail: NOT_REDIRECTABLE };
  if (user === undefined) {
    return {
      reason: null,
      detail: `${name} is enabled. Name a user to see whether this user may use it.`,
    };
  }
  return judgeUser(service, situation);
}

function judgeUser(service: RegisteredService, { principal, isDisabled }: User): Judgement {
  const name = JSON.stringify(service.name);
  if (principal === undefined) {
    const detail = 'This user has neither an account nor a session: give the attributes too.';
    return { reason: 'USER_UNKNOWN', detail };
  }
  if (isDisabled) {
    const detail = 'The account of this user is disabled or expired, so every login is refused.';
    return { reason: 'ACCOUNT_DISABLED', detail };
  }
  const missing = missingAttributes(service, principal);
  if (Object.keys(missing).length > 0) {
    const detail = `The user has none of the values that ${name} requires of: ${namesOf(missing)}.`;
    return { reason: 'ATTRIBUTES_MISSING', detail, missing };
  }
  const rejecting = rejectingAttributes(service, principal);
  if (Object.keys(rejecting).length > 0) {
    const detail = `The user has a value that ${name} rejects, or too few attributes to tell: ${namesOf(rejecting)}.`;
    return { reason: 'ATTRIBUTES_REJECTED', detail };
  }
  return { reason: null, detail: `The user may use ${name}.` };
}

function namesOf(attributes: AttributePatterns): string {
  return Object.keys(attributes).join(', ');
}

function draftOf({ definition, replaces = NEW }: DryRunRequest): RegisteredService | undefined {
  return definition && { ...definitionOf(definition), id: replaces, pseudonymSalt: '' };
}

function toMatch(service: RegisteredService, draft: RegisteredService | undefined): Match {
  const { id, name, evaluationOrder } = service;
  const enabled = isEnabled(service, Date.now());
  return { id: id === NEW ? null : id, name, evaluationOrder, enabled, isDraft: service === draft };
}

function logoutOf(
  { logoutType, logoutUrl }: RegisteredService,
  url: string,
): DryRunResult['logout'] {
  return logoutType === 'none' ? null : { type: logoutType, url: logoutUrl ?? url };
}

function readAttributes(given: Readonly<Record<string, unknown>>): Attributes {
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (Object.values(given).every(isList)) return given as Attributes;
  throw new RequestError('MALFORMED_REQUEST', 'attributes must have a list of texts for each name');
}
