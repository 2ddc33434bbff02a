// A handler that is always the one of the settings in force: another takes its place when they change.
import type { ResourceFactory, ReloadableResource, LiveSettings } from '@tessera/settings';
import type { SsoSettings } from '../settings.js';
import type { AuthenticationHandler, Credential, Verdict } from './authentication-handler.js';

/** How a handler is made of settings. */
export type HandlerFactory<P, H> = Omit<ResourceFactory<SsoSettings, P, H>, 'retire'>;

export class ReloadableHandler<H extends AuthenticationHandler> implements AuthenticationHandler {
  readonly name: string;

  private constructor(private readonly derived: ReloadableResource<SsoSettings, H>) {
    this.name = derived.value.name;
  }

  /** @throws what making the handler throws */
  static async open<P, H extends AuthenticationHandler>(
    live: LiveSettings<SsoSettings>,
    derivation: HandlerFactory<P, H>,
  ): Promise<ReloadableHandler<H>> {
    const retire = (handler: H): unknown => handler.close?.();
    return new ReloadableHandler(await live.derive({ ...derivation, retire }));
  }

  /** The handler in force. */
  get current(): H {
    return this.derived.value;
  }

  supports(credential: Credential): boolean {
    return this.derived.value.supports(credential);
  }

  /** By the handler in force now, which is not closed before it has answered. */
  authenticate(credential: Credential): Promise<Verdict> {
    return this.derived.use((handler) => handler.authenticate(credential));
  }

  close(): Promise<void> {
    return this.derived.close();
  }
}
