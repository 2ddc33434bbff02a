// A handler that is replaced when its settings change.
import type { ResourceFactory, ReloadableResource, LiveSettings } from '@tessera/config';
import type { SsoSettings } from '../settings.js';
import type { AuthenticationHandler, Credential, Verdict } from './authentication-handler.js';

/** How a handler is created from settings. */
export type HandlerFactory<P, H> = Omit<ResourceFactory<SsoSettings, P, H>, 'retire'>;

export class ReloadableHandler<H extends AuthenticationHandler> implements AuthenticationHandler {
  readonly name: string;

  private constructor(private readonly resource: ReloadableResource<SsoSettings, H>) {
    this.name = resource.value.name;
  }

  /** @throws any error of creating the handler */
  static async open<P, H extends AuthenticationHandler>(
    live: LiveSettings<SsoSettings>,
    factory: HandlerFactory<P, H>,
  ): Promise<ReloadableHandler<H>> {
    const retire = (handler: H): unknown => handler.close?.();
    return new ReloadableHandler(await live.derive({ ...factory, retire }));
  }

  get current(): H {
    return this.resource.value;
  }

  supports(credential: Credential): boolean {
    return this.resource.value.supports(credential);
  }

  /** Uses the current handler, which stays open until it has answered. */
  authenticate(credential: Credential): Promise<Verdict> {
    return this.resource.use((handler) => handler.authenticate(credential));
  }

  close(): Promise<void> {
    return this.resource.close();
  }
}
