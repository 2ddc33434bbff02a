// Registration of clients by themselves: the library checks the initial access token, and the registry gets a service.
// @see RFC 7591
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type AdapterPayload,
  type AllClientMetadata,
  type Configuration,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import {
  ClientSecrets,
  hasSecrets,
  initialAccessTokenId,
  newClientId,
  type NewClientSecret,
  type NewService,
  type RegisteredClient,
  ServiceRegistry,
} from '@tessera/services';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { scopesOf } from '../claims/claims.js';
import { PartialAdapter } from '../storage/partial-adapter.js';
import { answerOf, metadataOf, serviceFor } from './client-metadata.js';
import { Clients } from './clients.js';

interface Registration {
  readonly service: NewService;
  /** Undefined until it is stored. */
  answer?: AllClientMetadata;
}

/** The adapter of the model `Client`. */
@Injectable()
export class ClientRegistrations extends PartialAdapter {
  /** By context of a request. */
  private readonly registrations = new WeakMap<object, Registration>();
  /** Settles when all registrations that have started are stored. */
  private stored: Promise<unknown> = Promise.resolve();

  constructor(
    readonly clients: Clients,
    private readonly services: ServiceRegistry,
    private readonly trail: AuditTrail,
    @Inject(ssoConfig.KEY) private readonly settings: Pick<SsoSettings, 'oidc'>,
  ) {
    super();
  }

  get feature(): NonNullable<Configuration['features']>['registration'] {
    return {
      enabled: this.settings.oidc.registration === 'token',
      initialAccessToken: true,
      issueRegistrationAccessToken: false,
      idFactory: (ctx) => this.read(ctx),
    };
  }

  /** The library answers with what it knows of the client, which is less than what was registered. */
  adapt(provider: Provider): void {
    provider.use(async (ctx, next) => {
      await next();
      const { answer } = this.registrations.get(ctx) ?? {};
      if (answer !== undefined && ctx.status === 201) ctx.body = answer;
    });
  }

  /**
   * Stores what {@link read} has read, after the library has accepted it. This node knows the client when it returns.
   *
   * Stores one registration at a time: transactions that change services wait for each other, and many of them would leave
   * logins no connection.
   *
   * @throws DatabaseError
   */
  override upsert(): Promise<undefined> {
    const added = this.stored.then(() => this.add());
    this.stored = added.catch(() => {});
    return added;
  }

  find(clientId: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.clients.find(clientId));
  }

  private async add(): Promise<undefined> {
    const { ctx } = Provider;
    const registration = ctx && this.registrations.get(ctx);
    if (ctx === undefined || registration === undefined) {
      throw new Error('clients are stored at their registration alone');
    }
    const events: AuditEvent[] = [];
    let secret: NewClientSecret | undefined;
    const added = await this.services.add(registration.service, {
      callback: async (service, transaction) => {
        events.push(registered(service.id, registration.service, ctx));
        secret = await this.addSecret(service as RegisteredClient, transaction);
        if (secret) events.push(secretAdded(service.id, secret));
        for (const event of events) await this.trail.recordIn(transaction, event);
      },
    });
    for (const event of events) this.trail.log(event);
    registration.answer = {
      client_id_issued_at: Math.floor(Date.now() / 1_000),
      // @see RFC 7591, section 3.2.1: 0 stands for never
      ...(secret && { client_secret: secret.secret, client_secret_expires_at: 0 }),
      ...answerOf(added as RegisteredClient, this.scopes),
    };
  }

  /**
   * Reads the metadata of a request with a valid token. The library goes on with those of the service in their place: so a
   * client is registered as it is found later, and nothing that a client names is called.
   *
   * @returns the id of the new client
   * @throws InvalidClientMetadata
   */
  private read(ctx: KoaContextWithOIDC): string {
    const clientId = newClientId();
    const service = serviceFor(ctx.oidc.body ?? {}, clientId);
    this.registrations.set(ctx, { service });
    const body = metadataOf({ ...service, clientId } as RegisteredClient, this.scopes);
    Object.assign(ctx.oidc, { body });
    return clientId;
  }

  private async addSecret(
    { id, client }: RegisteredClient,
    transaction: EntityManager,
  ): Promise<NewClientSecret | undefined> {
    return hasSecrets(client) ? new ClientSecrets(transaction).add(id) : undefined;
  }

  private get scopes(): readonly string[] {
    return Object.keys(scopesOf(this.settings.oidc));
  }
}

function registered(
  subject: string,
  service: NewService,
  { oidc }: KoaContextWithOIDC,
): AuditEvent {
  const { jti = '' } = oidc.entities.InitialAccessToken ?? {};
  const details = { ...service, initialAccessToken: initialAccessTokenId(jti) };
  return { action: 'REGISTER_SERVICE', outcome: 'success', subject, details };
}

function secretAdded(subject: string, { id }: NewClientSecret): AuditEvent {
  return { action: 'ADD_CLIENT_SECRET', outcome: 'success', subject, details: { secret: id } };
}
