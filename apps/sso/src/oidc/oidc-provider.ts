// The library: one provider for each set of signing keys.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Client, Provider } from 'oidc-provider';
import { SigningKeys } from '@tessera/signing-keys';
import { ClientKeyRequests } from './clients/client-key-requests.js';
import type { Clients } from './clients/clients.js';
import { LibraryRequests } from './library/library-requests.js';
import { answerProfiles } from './paths/oauth-profile.js';
import { ProviderConfiguration } from './provider-configuration.js';

/** Seconds between two polls of a device. */
const POLLING_INTERVAL = 5;

@Injectable()
export class OidcProvider implements OnModuleInit {
  private built: Provider | undefined;
  private callback: ReturnType<Provider['callback']> | undefined;

  constructor(
    private readonly keys: SigningKeys,
    private readonly configuration: ProviderConfiguration,
    private readonly requests: LibraryRequests,
    private readonly clientKeys: ClientKeyRequests,
  ) {}

  onModuleInit(): void {
    this.build();
    this.keys.onChange(() => this.build());
  }

  /** Of the current keys. */
  get current(): Provider {
    if (this.built === undefined) throw new Error('the module is not initialised');
    return this.built;
  }

  get issuer(): string {
    return this.requests.issuer;
  }

  /** Answers a request whose URL begins after the issuer. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    void this.callback?.(request, response);
  }

  private build(): void {
    const { issuer } = this;
    const { clients, adapters } = this.configuration;
    const { fetch } = this.clientKeys;
    const keys = { keys: this.keys.current().map((key) => ({ ...key })) };
    const provider = new Provider(issuer, this.configuration.of({ issuer, keys, fetch }));
    this.requests.adapt(provider);
    answerProfiles(provider);
    adapters.detectReplays(provider);
    adapters.registrations.adapt(provider);
    adaptModels(provider, clients);
    // The library leaves it out: not all devices have the default. @see RFC 8628, section 3.2
    provider.on('device_authorization.success', (_ctx, body) => {
      body['interval'] = POLLING_INTERVAL;
    });
    this.built = provider;
    this.callback = provider.callback();
  }
}

type IsAllowed = (this: Client, uri: string) => boolean;

/** Replaces what the library has no option for. */
function adaptModels(provider: Provider, clients: Clients): void {
  const { value } = Object.getOwnPropertyDescriptor(
    provider.Client.prototype,
    'redirectUriAllowed',
  ) as TypedPropertyDescriptor<IsAllowed>;
  // The session is the TGT: there is nothing to write. The library fails where a browser has none.
  Object.defineProperty(provider.Session.prototype, 'persist', { value: () => Promise.resolve() });
  Object.defineProperties(provider.Client.prototype, {
    redirectUriAllowed: {
      value(this: Client, uri: string) {
        return clients.matchesPattern(this.clientId, uri) ?? value?.call(this, uri);
      },
    },
    // So that it asks for the user name of each client.
    subjectType: { get: () => 'pairwise', set: () => {} },
    includeSid: { value: () => true },
    compareClientSecret: {
      value(this: { readonly clientId: string }, secret: string) {
        return clients.hasSecret(this.clientId, secret);
      },
    },
  });
}
