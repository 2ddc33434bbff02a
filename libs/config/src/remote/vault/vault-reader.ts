// Reads settings from Vault, with retries. Imported lazily.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import { openVault, type KeyValues, type VaultClient } from '@tessera/vault';
import { NumberLiteral } from '@tessera/property-sources';
import type { ReportedViolation, SourceResult, SourceValue } from '../../settings/index.js';
import { retryDelay, logRetry } from '../retry.js';
import { isTransient, violationOf } from './vault-violations.js';
import type { VaultSettings } from './vault-settings.js';

const log = loggerFor('vault');

type Values = readonly SourceValue[];

/** The last valid values of each path. */
export type KnownValues = ReadonlyMap<string, Values>;

export interface VaultReading extends Pick<SourceResult, 'values' | 'violations'> {
  readonly byPath: KnownValues;
}

/** The result of one path. */
interface Reading {
  readonly path: string;
  readonly values: Values;
  readonly violation?: ReportedViolation;
  /** Whether a retry may succeed. */
  readonly isPending: boolean;
}

export class VaultReader {
  private readonly keyValues: KeyValues;
  private constructor(
    private readonly client: VaultClient,
    private readonly settings: VaultSettings,
  ) {
    this.keyValues = client.keyValues({ mount: settings.mount, version: settings.version });
  }

  /** @throws VaultError VAULT_ENVIRONMENT_UNSAFE, VAULT_FILE_UNREADABLE */
  static async open(
    settings: VaultSettings,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<VaultReader> {
    return new VaultReader(await openVault(settings.access, environment), settings);
  }

  /**
   * With `vault.fail-fast=false`, a path that cannot be read keeps its last values.
   *
   * @param paths the strongest first; read in parallel
   */
  async read(paths: readonly string[], known: KnownValues): Promise<VaultReading> {
    const readings = await this.readWithRetries(paths);
    const counted = this.settings.failFast ? readings : ignoreFailures(readings, known);
    return {
      // If a key is given twice, the later value wins.
      values: counted.toReversed().flatMap(({ values }) => values),
      violations: distinct(counted.flatMap(({ violation }) => violation ?? [])),
      byPath: new Map(counted.map(({ path, values }) => [path, values])),
    };
  }

  close(): void {
    this.client.close();
  }

  private async readWithRetries(paths: readonly string[]): Promise<readonly Reading[]> {
    let readings = await Promise.all(paths.map((path) => this.readingOf(path)));
    for (let attempt = 1; attempt < this.settings.maxAttempts; attempt += 1) {
      const pending = readings.find(({ isPending }) => isPending);
      if (pending === undefined) break;
      const pause = retryDelay(attempt, this.settings);
      const reason = pending.violation?.message;
      logRetry(log, { reason, attempt, pause }, 'Vault gives no settings; retrying');
      await sleep(pause);
      readings = await Promise.all(
        readings.map(async (each) => (each.isPending ? this.readingOf(each.path) : each)),
      );
    }
    return readings;
  }

  private async readingOf(path: string): Promise<Reading> {
    const origin = `vault ${this.settings.mount}/${path}`;
    try {
      const secret = (await this.keyValues.read(path)) ?? {};
      const values = Object.entries(secret).map(([key, value]) => {
        return { key, value: plainValue(value), origin, isProtected: true };
      });
      return { path, values, isPending: false };
    } catch (error) {
      const violation = violationOf(error, { settings: this.settings, origin });
      return { path, values: [], violation, isPending: isTransient(error) };
    }
  }
}

/** Replaces the values of failed paths by the last ones, and logs the reasons in one line. */
function ignoreFailures(readings: readonly Reading[], known: KnownValues): readonly Reading[] {
  const failed = readings.filter(({ violation }) => violation !== undefined);
  if (failed.length > 0) {
    const paths = failed.map(({ path }) => path);
    const reasons = [...new Set(failed.map(({ violation }) => violation?.message))];
    log.warn({ paths, reasons }, 'Vault gives no settings; continuing with the last ones, if any');
  }
  return readings.map(({ path, values, violation, isPending }) => {
    return { path, values: violation ? (known.get(path) ?? []) : values, isPending };
  });
}

/** Keeps the first of equal messages: the one of the strongest path. */
function distinct(violations: readonly ReportedViolation[]): readonly ReportedViolation[] {
  const first = ({ message }: ReportedViolation): number =>
    violations.findIndex((each) => each.message === message);
  return violations.filter((violation, index) => first(violation) === index);
}

/** Protects the stack. */
const MAX_DEPTH = 100;

/** A value of a secret as parsed JSON, with numbers as text. @throws RangeError if it is nested deeper than 100 levels */
export function plainValue(value: unknown, depth = MAX_DEPTH): unknown {
  if (value instanceof NumberLiteral) return value.json;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((element) => plainValue(element, depth - 1));
  const entries = Object.entries(value).map(([name, each]) => [name, plainValue(each, depth - 1)]);
  return Object.fromEntries(entries);
}
