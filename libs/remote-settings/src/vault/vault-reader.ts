// Owns the settings that one Vault gives: which it has, and what to say of those it does not give. Loaded at need.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import type { Problem, SourceResult, SourceValue } from '@tessera/settings';
import { openVault, type KeyValues, type VaultClient } from '@tessera/vault';
import { retryDelay, logRetry } from '../retry.js';
import { plainValue } from './plain-value.js';
import { isPassing, problemOf } from './vault-problems.js';
import type { VaultSettings } from './vault-settings.js';

const log = loggerFor('vault');

type Values = readonly SourceValue[];

/** By path, what it gave last and was found valid. */
export type KnownValues = ReadonlyMap<string, Values>;

/** What all paths together give. */
export interface VaultReading extends Pick<SourceResult, 'values' | 'problems'> {
  readonly byPath: KnownValues;
}

/** What became of one path. */
interface Reading {
  readonly path: string;
  readonly values: Values;
  readonly problem?: Problem;
  /** Whether Vault may give them later. */
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
   * Where a fault does not count (`vault.fail-fast=false`), what a path gave last stays in force.
   *
   * @param paths the strongest first; read side by side
   */
  async read(paths: readonly string[], known: KnownValues): Promise<VaultReading> {
    const readings = await this.patientReadings(paths);
    const counted = this.settings.failFast ? readings : excused(readings, known);
    return {
      // Of a key given twice the later value counts.
      values: counted.toReversed().flatMap(({ values }) => values),
      problems: distinct(counted.flatMap(({ problem }) => problem ?? [])),
      byPath: new Map(counted.map(({ path, values }) => [path, values])),
    };
  }

  close(): void {
    this.client.close();
  }

  private async patientReadings(paths: readonly string[]): Promise<readonly Reading[]> {
    let readings = await Promise.all(paths.map((path) => this.readingOf(path)));
    for (let attempt = 1; attempt < this.settings.maxAttempts; attempt += 1) {
      const pending = readings.find(({ isPending }) => isPending);
      if (pending === undefined) break;
      const pause = retryDelay(attempt, this.settings);
      const reason = pending.problem?.message;
      logRetry(log, { reason, attempt, pause }, 'Vault gives no settings; asking again');
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
      const problem = problemOf(error, { settings: this.settings, origin });
      return { path, values: [], problem, isPending: isPassing(error) };
    }
  }
}

/** Without problems, which the log tells in one line. */
function excused(readings: readonly Reading[], known: KnownValues): readonly Reading[] {
  const failed = readings.filter(({ problem }) => problem !== undefined);
  if (failed.length > 0) {
    const paths = failed.map(({ path }) => path);
    const reasons = [...new Set(failed.map(({ problem }) => problem?.message))];
    log.warn(
      { paths, reasons },
      'Vault gives no settings; going on without, or with the last ones',
    );
  }
  return readings.map(({ path, values, problem, isPending }) => {
    return { path, values: problem ? (known.get(path) ?? []) : values, isPending };
  });
}

/** What keeps several paths from being read is told once, of the strongest. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const first = ({ message }: Problem): number =>
    problems.findIndex((each) => each.message === message);
  return problems.filter((problem, index) => first(problem) === index);
}
