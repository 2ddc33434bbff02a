// Logs warnings before certificates and revocation lists expire, and reports the time left for the readiness check.
import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';

const logger = loggerFor('certificates');

const DAY_MS = 86_400_000;
const CHECK_INTERVAL_MS = 10_000;
const DEFAULT_WARN_BEFORE_MS = 3 * DAY_MS;
const MAX_LABEL_LENGTH = 64;

const KINDS = {
  crl: 'a revocation list',
  ca: 'a CA certificate',
  tls: 'a TLS certificate',
} as const;

export interface Expiring {
  readonly kind: keyof typeof KINDS;
  /** A short public name. */
  readonly label: string;
  /** For the log: the issuer of a revocation list, or the subject of a certificate. */
  readonly name: string;
  readonly path: string;
  readonly expires: Date;
  /** Milliseconds before the expiry at which warnings begin; default three days. */
  readonly warnBefore?: number;
}

/** Checks periodically while the application runs. */
export class ExpiryWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sources: (() => readonly Expiring[])[] = [];
  /** Time of the last warning, by its content. */
  private lastWarnings: ReadonlyMap<string, number> = new Map();
  private timer: NodeJS.Timeout | undefined;

  /** @param source returns the current certificates and lists; called at every check */
  add(source: () => readonly Expiring[]): void {
    this.sources.push(source);
  }

  onApplicationBootstrap(): void {
    this.warn(new Date());
    this.timer = setInterval(() => this.warn(new Date()), CHECK_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Warns once a day of each certificate or list that has expired or expires soon. */
  warn(now: Date): void {
    const warnings = new Map<string, number>();
    for (const expiring of this.current()) {
      const state = stateAt(expiring, now);
      if (state === undefined) continue;
      const { kind, name, path, expires } = expiring;
      const key = JSON.stringify([kind, name, path, expires, state]);
      const last = warnings.get(key) ?? this.lastWarnings.get(key);
      const isDue = last === undefined || now.getTime() - last >= DAY_MS;
      warnings.set(key, isDue ? now.getTime() : last);
      if (!isDue) continue;
      const named = kind === 'crl' ? { issuer: name } : { subject: name };
      logger.warn({ ...named, path, expires }, `${KINDS[kind]} ${state}`);
    }
    this.lastWarnings = warnings;
  }

  /**
   * Whole seconds until each expires, negative when past, by kind and label: `crl Example CA`. Of several with the same
   * name, the first to expire counts.
   */
  secondsLeft(now: Date): Readonly<Record<string, number>> {
    const left: Record<string, number> = {};
    for (const { kind, label, expires } of this.current()) {
      const name = `${kind} ${Array.from(label).slice(0, MAX_LABEL_LENGTH).join('')}`;
      const seconds = Math.floor((expires.getTime() - now.getTime()) / 1_000);
      left[name] = Math.min(seconds, left[name] ?? seconds);
    }
    return left;
  }

  private current(): readonly Expiring[] {
    return this.sources.flatMap((source) => source());
  }
}

function stateAt({ expires, warnBefore = DEFAULT_WARN_BEFORE_MS }: Expiring, now: Date) {
  const left = expires.getTime() - now.getTime();
  if (left < 0) return 'has expired';
  return left <= warnBefore ? 'expires soon' : undefined;
}

@Module({ providers: [ExpiryWatch], exports: [ExpiryWatch] })
export class ExpiryModule {}
