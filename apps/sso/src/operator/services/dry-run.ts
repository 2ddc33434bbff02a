// Which service gets a URL, whether a user may use it, and what it would be told. Nothing is changed.
import { Inject, Injectable } from '@nestjs/common';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { AccountStore } from '@tessera/accounts';
import {
  type AttributePatterns,
  type Attributes,
  isEnabled,
  type LogoutType,
  type Principal,
  type RegisteredClient,
  type RegisteredService,
  release,
  ServiceRegistry,
} from '@tessera/services';
import { canonicalService, SessionAdministration } from '@tessera/tickets';
import { RequestError } from '@tessera/server';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { Optional, SearchText } from '../input.js';
import type { Authorization } from './authorization-dry-run.js';
import { judge, type Judgement, type RefusalReason, type User } from './judgements.js';
import { definitionOf } from './service-view.js';

export class DryRunRequest {
  /** Of a service, or of an authorization request with its parameters. */
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

interface Match {
  /** Null for a new service that is not stored. */
  readonly id: string | null;
  readonly name: string;
  readonly evaluationOrder: number;
  readonly enabled: boolean;
  readonly isDraft: boolean;
}

export interface DryRunResult {
  /** The services that match, of which the first decides; of an authorization request, the client. */
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
  /** Null for the URL of a service. */
  readonly authorization: Authorization | null;
}

/** What a dry run has found. */
interface Finding {
  readonly matching: readonly RegisteredService[];
  readonly judgement: Judgement;
  readonly user: User;
  readonly draft: RegisteredService | undefined;
}

/** The id of a draft that replaces no service. No stored service has it. */
const NEW = '0';

const OIDC_OFF: Judgement = {
  reason: 'OIDC_OFF',
  detail: 'This is an address of OpenID Connect, and sso.modules does not list oidc.',
};

@Injectable()
export class DryRun {
  constructor(
    private readonly services: ServiceRegistry,
    private readonly accounts: AccountStore,
    private readonly sessions: SessionAdministration,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /**
   * @throws InvalidServiceError for an invalid definition; RequestError for attributes that are not lists of texts, and for an
   *   authorization request that a dry run cannot read
   */
  async run(request: DryRunRequest): Promise<DryRunResult> {
    const draft = draftOf(request);
    const user = await this.userOf(request);
    if (request.url.startsWith(`${this.settings.baseUrl}/oidc/`)) {
      const tried = await this.tryAuthorization(request, { draft, user });
      if (tried !== undefined) return tried;
    }
    const snapshot = await this.services.snapshotWith(draft);
    const matching = snapshot.matchAll(request.url);
    const owners = snapshot.owners(canonicalService(request.url));
    const [service] = matching;
    const other = owners.find(({ id }) => id !== service?.id);
    const judgement = judge(request, { service, other, ...user });
    return {
      ...this.resultOf({ matching, judgement, user, draft }),
      logout: service === undefined ? null : logoutOf(service, request.url),
      authorization: null,
    };
  }

  /** Undefined for another URL. Loads code of the module only where it is on. */
  private async tryAuthorization(
    { url, user: name }: DryRunRequest,
    { draft, user }: Pick<Finding, 'draft' | 'user'>,
  ): Promise<DryRunResult | undefined> {
    if (!this.settings.moduleNames.includes('oidc')) {
      const nothing = { matching: [], judgement: OIDC_OFF, user, draft };
      return { ...this.resultOf(nothing), logout: null, authorization: null };
    }
    const { authorizationIn, tryAuthorization } = await import('./authorization-dry-run.js');
    const parameters = authorizationIn(url, this.settings);
    if (parameters === undefined) return undefined;
    const service = this.clientOf(parameters.get('client_id'), draft);
    const asking = { ...user, user: name, parameters, service };
    const { judgement, authorization } = tryAuthorization(asking, this.settings);
    const matching = service === undefined ? [] : [service];
    return {
      ...this.resultOf({ matching, judgement, user, draft }),
      // A ticket has a URL of its own, a client has none.
      logout: service?.logoutUrl ? logoutOf(service, service.logoutUrl) : null,
      authorization,
    };
  }

  private clientOf(
    clientId: string | null,
    draft: RegisteredService | undefined,
  ): RegisteredClient | undefined {
    if (clientId === null) return undefined;
    if (draft?.clientId === clientId && draft.client !== null) {
      return { ...draft, clientId, client: draft.client };
    }
    const registered = this.services.findByClientId(clientId);
    return registered?.id === draft?.id ? undefined : registered;
  }

  private resultOf({
    matching,
    judgement,
    user: { principal },
    draft,
  }: Finding): Omit<DryRunResult, 'logout' | 'authorization'> {
    const { reason, detail, missing = {} } = judgement;
    const [service] = matching;
    const isAllowed = reason === null && service !== undefined;
    return {
      matches: matching.map((each) => toMatch(each, draft)),
      decision: isAllowed ? 'allowed' : 'refused',
      reason,
      detail,
      missingAttributes: missing,
      released: isAllowed && principal !== undefined ? this.released(service, principal) : null,
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

function draftOf({ definition, replaces = NEW }: DryRunRequest): RegisteredService | undefined {
  return definition && { ...definitionOf(definition), id: replaces, pseudonymSalt: '' };
}

function toMatch(service: RegisteredService, draft: RegisteredService | undefined): Match {
  const { id, name, evaluationOrder } = service;
  const enabled = isEnabled(service, Date.now());
  return { id: id === NEW ? null : id, name, evaluationOrder, enabled, isDraft: draft?.id === id };
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
