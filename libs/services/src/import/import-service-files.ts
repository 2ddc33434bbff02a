// Imports service files into the store, and reports on each file. Where a file is refused, nothing is imported: otherwise
// another service could match the URLs of the refused one.
import { basename } from 'node:path';
import { ServiceSnapshot } from '../matching/service-snapshot.js';
import { keyOf, type ImportOutcome, servicesAfter } from '../registry/service-import-plan.js';
import type { ServiceStore } from '../registry/service-store.js';
import { type ReadService, readApereoService, type Refusal } from './apereo-service.js';
import { adviceOn } from './refusal-advice.js';
import { parseHjson, HjsonError } from './hjson.js';
import type { FileNote } from './service-draft.js';
import { readServiceFiles, type ServiceFile } from './service-files.js';

/** The result for one file. */
export type FileReport =
  | {
      readonly file: string;
      /** `ignored`: not a service file. `refused`: an invalid one. */
      readonly outcome: 'refused' | 'ignored';
      readonly reason: string;
      /** For a refused file, lines of text: the service that gets its URLs, and what to write instead. */
      readonly advice: readonly string[];
    }
  | {
      readonly file: string;
      readonly outcome: ImportOutcome;
      readonly name: string;
      readonly enabled: boolean;
      /** Members of the file that were imported. */
      readonly taken: readonly string[];
      /** Members without effect here. Ignoring them gives nobody access. */
      readonly withoutEffect: readonly FileNote[];
      /** Members because of which the service is disabled. */
      readonly notUnderstood: readonly FileNote[];
    };

export interface ImportReport {
  readonly files: readonly FileReport[];
  /** False when a file was refused, or a service is disabled because of a member that was not understood. */
  readonly complete: boolean;
  /** True when nothing was written because a file was refused. */
  readonly refused: boolean;
}

export interface ImportOptions {
  /** Reports the same and writes nothing. */
  readonly dryRun?: boolean;
  /** Imports the other files where some are refused. */
  readonly skipUnreadable?: boolean;
}

interface ReadFile {
  readonly file: string;
  readonly read: ReadService | Refusal | { readonly ignored: string };
}

/**
 * Imports a file, or all files of a directory, in the format of Apereo CAS. Importing the same files again changes nothing.
 * Services whose files are gone stay. Where a file is refused, nothing is written, unless `skipUnreadable` is set.
 *
 * @throws ServiceError SERVICE_FILES_UNREADABLE when there is no such file or directory
 * @throws DatabaseError when nothing could be stored
 */
export async function importServiceFiles(
  store: ServiceStore,
  path: string,
  { dryRun = false, skipUnreadable = false }: ImportOptions = {},
): Promise<ImportReport> {
  const files: ReadFile[] = [];
  for await (const file of readServiceFiles(path)) {
    files.push({ file: file.file, read: readService(file) });
  }
  const distinct = refuseRepeated(files);
  const hasRefusals = distinct.some(({ read }) => 'refusal' in read);
  const refused = hasRefusals && !skipUnreadable;
  const services = distinct.map(({ read }) => read).filter((read) => 'definition' in read);
  const planned = await store.import(services, { dryRun: dryRun || refused });
  const after = hasRefusals ? servicesAfter(await store.list(), planned) : [];
  const snapshot = await ServiceSnapshot.of(after);
  const outcomes = new Map(services.map((read, at) => [read, planned[at]?.outcome ?? 'unchanged']));
  const reports = distinct.map((each) => reportOf(each, outcomes, snapshot));
  return { files: reports, complete: reports.every(isComplete), refused };
}

/** The number of files by outcome, for people: `2 added, 1 unchanged`. */
export function summaryOf({ files }: ImportReport): string {
  const counts = Map.groupBy(files, ({ outcome }) => outcome);
  const parts = [...counts].map(([outcome, each]) => `${each.length} ${outcome}`);
  return parts.length > 0 ? parts.toSorted().join(', ') : 'no files';
}

function readService(file: ServiceFile): ReadFile['read'] {
  if ('text' in file) return readText(file.text, fallbackName(file.file));
  return file;
}

function readText(text: string, name: string): ReadService | Refusal {
  try {
    return readApereoService(parseHjson(text), name);
  } catch (error) {
    if (error instanceof HjsonError) return { refusal: `is not JSON: ${error.message}` };
    throw error;
  }
}

function fallbackName(file: string): string {
  return basename(file)
    .replace(/[^\w.-]/g, '_')
    .slice(0, 255);
}

/**
 * Refuses all but the first of the files that define the same service, or each import would change it. The others may
 * have other URLs or stricter rules, so they are not ignored.
 */
function refuseRepeated(files: readonly ReadFile[]): readonly ReadFile[] {
  const seen = new Map<string, string>();
  return files.map(({ file, read }) => {
    if (!('definition' in read)) return { file, read };
    const key = keyOf(read.importId, read.definition);
    const first = seen.get(key);
    if (first !== undefined) {
      const refusal = `is the same service as ${first}`;
      return { file, read: { refusal, service: read.definition } };
    }
    seen.set(key, file);
    return { file, read };
  });
}

function reportOf(
  { file, read }: ReadFile,
  outcomes: ReadonlyMap<ReadService, ImportOutcome>,
  snapshot: ServiceSnapshot,
): FileReport {
  if ('ignored' in read) return { file, outcome: 'ignored', reason: read.ignored, advice: [] };
  if ('refusal' in read) {
    const { refusal: reason, service } = read;
    const advice = service === undefined ? [] : adviceOn(service, snapshot);
    return { file, outcome: 'refused', reason, advice };
  }
  const { taken, withoutEffect, notUnderstood } = read;
  const { name, enabled } = read.definition;
  const outcome = outcomes.get(read) ?? 'unchanged';
  return { file, outcome, name, enabled, taken, withoutEffect, notUnderstood };
}

function isComplete(report: FileReport): boolean {
  if (report.outcome === 'refused') return false;
  return !('notUnderstood' in report) || report.notUnderstood.length === 0;
}
