// Watches when certificates and revocation lists expire: warnings in the log, and gauges for readiness.
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { loggerFor } from '@tessera/logging';

const logger = loggerFor('certificates');

const DAY = 86_400_000;
const LOOK_INTERVAL = 10_000;
/** How long before its end the log warns of a certificate, in milliseconds. */
const CERTIFICATE_WARNING = 3 * DAY;
const LONGEST_LABEL = 64;

const KINDS = {
  crl: 'a revocation list',
  ca: 'a CA certificate',
  tls: 'a TLS certificate',
} as const;

export interface Expiring {
  readonly kind: keyof typeof KINDS;
  /** A short name that everybody may see. */
  readonly label: string;
  /** For the log: the issuer of a list, the subject of a certificate. */
  readonly name: string;
  readonly path: string;
  readonly expires: Date;
  /** How long before its end the log warns of it, in milliseconds; three days unless given. */
  readonly warnBefore?: number;
}

/** Looks from the start of the application to its end. */
export class ExpiryWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sources: (() => readonly Expiring[])[] = [];
  /** When the last warning came, by what it said. */
  private lastWarnings: ReadonlyMap<string, number> = new Map();
  private timer: NodeJS.Timeout | undefined;

  /** @param source is called at every look, and returns what is in force then */
  add(source: () => readonly Expiring[]): void {
    this.sources.push(source);
  }

  onApplicationBootstrap(): void {
    this.warn(new Date());
    this.timer = setInterval(() => this.warn(new Date()), LOOK_INTERVAL).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Warns of everything that has expired or soon will, once a day of each. */
  warn(now: Date): void {
    const warnings = new Map<string, number>();
    for (const expiring of this.current()) {
      const state = stateAt(expiring, now);
      if (state === undefined) continue;
      const { kind, name, path, expires } = expiring;
      const key = JSON.stringify([kind, name, path, expires, state]);
      const last = warnings.get(key) ?? this.lastWarnings.get(key);
      const isDue = last === undefined || now.getTime() - last >= DAY;
      warnings.set(key, isDue ? now.getTime() : last);
      if (!isDue) continue;
      const named = kind === 'crl' ? { issuer: name } : { subject: name };
      logger.warn({ ...named, path, expires }, `${KINDS[kind]} ${state}`);
    }
    this.lastWarnings = warnings;
  }

  /**
   * Whole seconds until each expires, negative when past, by kind and label: `crl Example CA`. Of
   * several with one name, the first to expire counts.
   */
  secondsLeft(now: Date): Readonly<Record<string, number>> {
    const left: Record<string, number> = {};
    for (const { kind, label, expires } of this.current()) {
      const name = `${kind} ${Array.from(label).slice(0, LONGEST_LABEL).join('')}`;
      const seconds = Math.floor((expires.getTime() - now.getTime()) / 1_000);
      left[name] = Math.min(seconds, left[name] ?? seconds);
    }
    return left;
  }

  private current(): readonly Expiring[] {
    return this.sources.flatMap((source) => source());
  }
}

function stateAt({ expires, warnBefore = CERTIFICATE_WARNING }: Expiring, now: Date) {
  const left = expires.getTime() - now.getTime();
  if (left < 0) return 'has expired';
  return left <= warnBefore ? 'expires soon' : undefined;
}
