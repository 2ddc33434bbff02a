// Runs one application after the other behind the same sockets: a reload makes a new one beside the old one, which then ends.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loggerFor } from '@tessera/logging';
import type { AnswerAdapter } from './express-adapter.js';
import type { Listener } from '../listeners/listener.js';

const logger = loggerFor('server');

/** The sockets of a process. They outlive every application. */
export interface Listeners {
  readonly public: Listener;
  readonly management?: Listener | undefined;
}

export class ApplicationHost<S> {
  private current: NestExpressApplication | undefined;
  /** The ends of earlier applications. */
  private readonly ending = new Set<Promise<void>>();

  /**
   * @param create creates and initialises an application on the public listener, and leaves nothing open when it fails. It is
   * told whether no application has started before.
   */
  constructor(
    private readonly create: (settings: S, isFirst: boolean) => Promise<NestExpressApplication>,
    private readonly listeners: Listeners,
  ) {}

  get hasStarted(): boolean {
    return this.current !== undefined;
  }

  /** @throws Error before the start */
  get application(): NestExpressApplication {
    if (this.current === undefined) throw new Error('no application has started');
    return this.current;
  }

  /** Creates the first application. @throws errors of the application */
  async start(settings: S): Promise<void> {
    const { commit } = await this.prepare(settings);
    commit();
  }

  /**
   * Creates an application beside the current one. `commit()` gives it all later requests; the one before answers those that
   * it has, and ends. `discard()` closes it again.
   *
   * @throws errors of the application; then nothing has changed
   */
  async prepare(settings: S): Promise<{ commit: () => void; discard: () => void }> {
    const next = await this.create(settings, !this.hasStarted);
    return {
      commit: () => {
        const before = this.current;
        this.current = next;
        const { handle, handleManagement } = adapterOf(next);
        this.listeners.public.serve(handle);
        this.listeners.management?.serve(handleManagement);
        if (before !== undefined) this.track(this.end(before));
      },
      discard: () => this.track(this.end(next)),
    };
  }

  /** Closes the current application, and waits for the ends of earlier ones. */
  async close(): Promise<void> {
    await Promise.all(this.ending);
    await this.current?.close();
  }

  /** Closes an application after its last answer. Never fails. */
  private async end(app: NestExpressApplication): Promise<void> {
    const {
      public: { server },
      management,
    } = this.listeners;
    try {
      await adapterOf(app).drain(management ? [server, management.server] : [server]);
      await app.close();
    } catch (error) {
      logger.error({ error }, 'an application could not be closed');
    }
  }

  private track(ending: Promise<void>): void {
    this.ending.add(ending);
    void ending.finally(() => this.ending.delete(ending));
  }
}

function adapterOf(app: NestExpressApplication): AnswerAdapter {
  return app.getHttpAdapter() as unknown as AnswerAdapter;
}
