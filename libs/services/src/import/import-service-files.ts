// Imports service files into the store, and reports on each file. Where a file is refused, nothing is imported: otherwise
// another service could match the URLs of the refused one.
import { basename } from 'node:path';
import { isEnabled } from '../authorisation.js';
import { ServiceSnapshot } from '../matching/service-snapshot.js';
import {
  type ImportOutcome,
  keyOf,
  planImport,
  type PlannedImport,
  type ServiceImport,
  servicesAfter,
} from '../registry/service-import-plan.js';
import type { ServiceStore } from '../registry/service-store.js';
import {
  isRestricted,
  type OtherProtocol,
  type ReadService,
  readServiceText,
  type Refusal,
} from './apereo-service.js';
import { foreignUrlOf } from './foreign-host.js';
import { adviceOn } from './refusal-advice.js';
import type { FileNote } from './service-draft.js';
import { readServiceFiles, type ServiceFile } from './service-files.js';

/** The result for one file. */
export type FileReport =
  | {
      readonly file: string;
      /** `ignored`: no file of a CAS service. `removed`: no longer one. `refused`: an invalid one. */
      readonly outcome: 'refused' | 'ignored' | 'removed';
      readonly reason: string;
      /** For a refused file, lines of text: the service that gets its URLs, and what to write instead. */
      readonly advice: readonly string[];
    }
  | {
      readonly file: string;
      readonly outcome: ImportOutcome;
      readonly name: string;
      /** Of a client of OpenID Connect; null for a service of CAS. */
      readonly clientId: string | null;
      /** False also for one that has expired. */
      readonly enabled: boolean;
      /** Members of the file that were imported. */
      readonly taken: readonly string[];
      /** Members without effect here. Ignoring them gives nobody access. */
      readonly withoutEffect: readonly FileNote[];
      /** Members because of which the service is disabled. */
      readonly notUnderstood: readonly FileNote[];
      /** A URL of another host that the pattern matches as written. */
      readonly foreignUrl: string | undefined;
    };

export interface ImportReport {
  readonly files: readonly FileReport[];
  /** False when a file was refused or is of another protocol, or a service is disabled because of a member that was not
   * understood. */
  readonly complete: boolean;
  /** True when nothing was written because a file was refused. */
  readonly refused: boolean;
  /** Whether services differ from those before, or would after a dry run. */
  readonly changes: boolean;
}

export interface ImportOptions {
  /** Reports the same and writes nothing. */
  readonly dryRun?: boolean;
  /** Imports the other files where some are refused. */
  readonly skipUnreadable?: boolean;
  /** Stores the secrets of the files, by client id. Without it, none is stored. */
  readonly adoptSecrets?: (secrets: ReadonlyMap<string, readonly string[]>) => Promise<void>;
}

/** What an import needs of the registered services. */
type ImportTarget = Pick<ServiceStore, 'import' | 'list'>;

/** No services, for a dry run without a database. */
export const EMPTY_REGISTRY: ImportTarget = {
  import: (imports) => Promise.resolve(planImport(imports, [])),
  list: () => Promise.resolve([]),
};

interface ReadFile {
  readonly file: string;
  readonly read: ReadService | Refusal | OtherProtocol | { readonly ignored: string };
}

/**
 * Imports a file, or all files of a directory, in the format of Apereo CAS. Importing the same files again changes nothing.
 * Services whose files are gone stay. Where a file is refused, nothing is written, unless `skipUnreadable` is set: then a
 * disabled service closes the URLs of the refused file, as far as they can be read.
 *
 * @throws ServiceError SERVICE_FILES_UNREADABLE when there is no such file or directory
 * @throws DatabaseError when nothing could be stored
 */
export async function importServiceFiles(
  store: ImportTarget,
  path: string,
  { dryRun = false, skipUnreadable = false, adoptSecrets }: ImportOptions = {},
): Promise<ImportReport> {
  const files: ReadFile[] = [];
  for await (const file of readServiceFiles(path)) {
    files.push({ file: file.file, read: readService(file) });
  }
  const distinct = refuseRepeated(files);
  const hasRefusals = distinct.some(({ read }) => 'refusal' in read);
  const refused = hasRefusals && !skipUnreadable;
  const imports = importsOf(distinct, skipUnreadable);
  const planned = await store.import([...imports.values()], {
    dryRun: dryRun || refused,
    retired: distinct.flatMap(({ read }) => (isOtherProtocol(read) ? (read.importId ?? []) : [])),
  });
  if (!dryRun && !refused) await adoptSecrets?.(secretsOf(distinct));
  const after = hasRefusals ? servicesAfter(await store.list(), planned) : [];
  const snapshot = await ServiceSnapshot.of(after);
  const plans = new Map([...imports.keys()].map((read, at) => [read, planned[at]]));
  const removed = planned.slice(imports.size);
  const reports = distinct.map((each) => reportOf(each, { plans, removed, snapshot }));
  const changes = planned.some(({ outcome }) => outcome !== 'unchanged');
  return { files: reports, complete: distinct.every(isComplete), refused, changes };
}

function readService(file: ServiceFile): ReadFile['read'] {
  if ('text' in file) return readServiceText(file.text, fallbackName(file.file));
  return 'refusal' in file ? { refusal: file.refusal, mayClose: true } : file;
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
  const seen = new Map<string, { readonly file: string; readonly serviceId: string | null }>();
  const clients = new Map<string, string>();
  return files.map(({ file, read }) => {
    if (!('definition' in read)) return { file, read };
    const { importId, definition } = read;
    const { clientId } = definition;
    const other = clientId === null ? undefined : clients.get(clientId);
    if (other !== undefined) {
      const ignored = `has the clientId of ${other}, which is imported: give one of them another`;
      return { file, read: { ignored, importId: null } };
    }
    if (clientId !== null) clients.set(clientId, file);
    const key = keyOf(importId, definition);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, { file, serviceId: definition.serviceId });
      return { file, read };
    }
    const closing = { importId: null, definition: { ...definition, enabled: false } };
    const refusal = {
      refusal: `is the same service as ${first.file}`,
      service: definition,
      mayClose: isRestricted(definition),
      ...(definition.serviceId === first.serviceId ? {} : { closing }),
    };
    return { file, read: refusal };
  });
}

function secretsOf(files: readonly ReadFile[]): ReadonlyMap<string, readonly string[]> {
  const entries = files.flatMap(({ read }) => {
    if (!('definition' in read)) return [];
    const { definition, secrets = [] } = read;
    const { clientId } = definition;
    return clientId === null || secrets.length === 0 ? [] : [[clientId, secrets] as const];
  });
  return new Map(entries);
}

/** What to store of each file. @param closes whether to close the URLs of refused files, as far as they can be read */
function importsOf(
  files: readonly ReadFile[],
  closes: boolean,
): ReadonlyMap<ReadFile['read'], ServiceImport> {
  const imports = new Map<ReadFile['read'], ServiceImport>();
  for (const { read } of files) if ('definition' in read) imports.set(read, read);
  const keys = new Set([...imports.values()].map((each) => keyOf(each.importId, each.definition)));
  for (const { read } of closes ? files : []) {
    if (!('refusal' in read) || !read.mayClose || read.closing === undefined) continue;
    const key = keyOf(read.closing.importId, read.closing.definition);
    if (!keys.has(key)) imports.set(read, read.closing);
    keys.add(key);
  }
  return imports;
}

interface ImportResult {
  /** For each file of which something is stored. */
  readonly plans: ReadonlyMap<ReadFile['read'], PlannedImport | undefined>;
  readonly removed: readonly PlannedImport[];
  /** The services after the import. */
  readonly snapshot: ServiceSnapshot;
}

function reportOf(
  { file, read }: ReadFile,
  { plans, removed, snapshot }: ImportResult,
): FileReport {
  const plan = plans.get(read);
  if ('ignored' in read) {
    const isRemoved =
      isOtherProtocol(read) && removed.some(({ importId }) => importId === read.importId);
    const outcome = isRemoved ? 'removed' : 'ignored';
    return { file, outcome, reason: read.ignored, advice: [] };
  }
  if ('refusal' in read) {
    const advice = adviceOn(read, snapshot, plan);
    return { file, outcome: 'refused', reason: read.refusal, advice };
  }
  const { taken, withoutEffect, notUnderstood } = read;
  const { name, serviceId, clientId } = read.definition;
  const enabled = isEnabled(read.definition, Date.now());
  const outcome = plan?.outcome ?? 'unchanged';
  const foreignUrl = serviceId === null ? undefined : foreignUrlOf(serviceId);
  const notes = { taken, withoutEffect, notUnderstood, foreignUrl };
  return { file, outcome, name, clientId, enabled, ...notes };
}

function isOtherProtocol(read: ReadFile['read']): read is OtherProtocol {
  return 'ignored' in read && 'importId' in read;
}

function isComplete({ read }: ReadFile): boolean {
  if ('definition' in read) return read.notUnderstood.length === 0;
  return !('refusal' in read) && !isOtherProtocol(read);
}
