// The signing keys of this node, in sync with the database.
import { type Announcements, isLocked } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { Poller, trailingSingleFlight } from '@tessera/runtime';
import type { KeySealing } from './key-sealing.js';
import { newSigningKey, SIGNING_ALGORITHMS, type SigningKey } from './signing-key.js';
import {
  algorithmsThatSign,
  type SigningKeyState,
  type SigningKeyStore,
  type StoredSigningKey,
} from './signing-key-store.js';

const log = loggerFor('oidc');

/** The channel that the table's trigger notifies. */
const CHANNEL = 'signing_key';
/** The interval of polling the database, in milliseconds, besides notifications. A new key waits longer before it signs. */
const POLL_INTERVAL = 30_000;
const STATES: readonly SigningKeyState[] = ['signs', 'next', 'published'];

export class SigningKeys {
  private keys: readonly SigningKey[] = [];
  private readonly listeners = new Set<() => void>();
  /** Milliseconds from the last reading until the next key signs. */
  private changesIn = POLL_INTERVAL;
  private isStopped = false;
  private readonly poller: Poller;
  private readonly refreshing: () => Promise<void>;

  constructor(
    private readonly store: SigningKeyStore,
    private readonly sealing: KeySealing,
    announcements: Pick<Announcements, 'listen'>,
    pollInterval = POLL_INTERVAL,
  ) {
    this.refreshing = trailingSingleFlight(() => this.load());
    this.poller = new Poller(
      () => Math.max(1, Math.min(pollInterval, this.changesIn)),
      () => this.refresh(),
    );
    announcements.listen(CHANNEL, () => void this.refresh());
  }

  /**
   * The private keys: of each algorithm the one that signs now, by the clock of the database, then those that are only
   * published.
   */
  current(): readonly SigningKey[] {
    return this.keys;
  }

  /** @param listener called after {@link current} has changed. @returns a function that ends this */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Loads the keys, and keeps them in sync until {@link stop}. The first node of an installation makes a key of each algorithm.
   *
   * @throws DatabaseError where they cannot be loaded
   * @throws SigningKeyError SIGNING_KEY_SEALED where they cannot be opened
   */
  async start(): Promise<void> {
    await this.refreshing();
    this.poller.restart();
  }

  /** Announcements that come later are ignored: the database may be closed by then. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.poller.stop();
    await this.refreshing().catch(() => {});
  }

  /** Never fails: after an error the keys stay the same. */
  private async refresh(): Promise<void> {
    try {
      await this.refreshing();
    } catch (error) {
      log.warn({ error }, 'cannot read the signing keys: keeping those loaded before');
    }
    this.poller.restart();
  }

  private async load(): Promise<void> {
    if (this.isStopped) return;
    const stored = await this.complete();
    const waits = stored.map(({ usableIn }) => usableIn ?? 0).filter((each) => each > 0);
    this.changesIn = Math.min(...waits, POLL_INTERVAL);
    const ordered = STATES.flatMap((state) => stored.filter((each) => each.state === state));
    const keys = await Promise.all(
      ordered.map(({ kid, sealedPrivate }) => this.sealing.open(kid, sealedPrivate)),
    );
    if (keys.map(({ kid }) => kid).join(' ') === this.keys.map(({ kid }) => kid).join(' ')) return;
    this.keys = keys;
    log.info({ keys: ordered.map(({ kid, state }) => `${kid} ${state}`) }, 'loaded signing keys');
    for (const listener of this.listeners) listener();
  }

  /** The stored keys, after keys were made where an algorithm had none. */
  private async complete(): Promise<readonly StoredSigningKey[]> {
    for (;;) {
      const stored = await this.store.readAll();
      const signing = algorithmsThatSign(stored);
      const missing = SIGNING_ALGORITHMS.filter((each) => !signing.has(each));
      if (missing.length === 0) return stored;
      const made = await Promise.all(missing.map(newSigningKey));
      try {
        await this.store.addMissing(made, this.sealing);
      } catch (error) {
        // Another node is adding its own.
        if (!isLocked(error)) throw error;
      }
    }
  }
}
