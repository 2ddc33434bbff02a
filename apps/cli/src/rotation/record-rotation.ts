// Records a rotation in the audit trail, if the settings name a database.
import type { AuditEvent } from '@tessera/audit';
import { loadCliSettings } from '../settings.js';
import { escapeLinesForTerminal, writeLine, type Terminal } from '../terminal.js';

export interface Rotation {
  /** As given by the caller. */
  readonly paths: readonly string[];
  /** The alias of the key that encrypted. */
  readonly key: string;
  readonly files: number;
  readonly values: number;
  /** Files that could not be read or written. */
  readonly failedFiles: number;
  /** Values that could not be decrypted. */
  readonly failedValues: number;
}

/** The files are written already. So an error here is a warning on standard error. @param argv the `--key=value` arguments */
export async function recordRotation(
  rotation: Rotation,
  argv: readonly string[],
  terminal: Terminal,
): Promise<void> {
  try {
    const { settings } = await loadCliSettings({ argv });
    if (settings.databaseUrl === undefined) return;
    const [{ changing }, { databaseOpener, withDatabase }] = await Promise.all([
      import('../audit/changes.js'),
      import('../database.js'),
    ]);
    await withDatabase(databaseOpener(argv, terminal), (database) =>
      changing(database, ({ record }) =>
        record({ action: 'ROTATE_KEYS', ...outcomeOf(rotation), details: { ...rotation } }),
      ),
    );
  } catch (error) {
    const reason = escapeLinesForTerminal(error instanceof Error ? error.message : String(error));
    writeLine(terminal.stderr, `tessera: the rotation is not in the audit trail: ${reason}`);
  }
}

function outcomeOf({
  failedFiles,
  failedValues,
}: Rotation): Pick<AuditEvent, 'outcome' | 'reason'> {
  if (failedValues > 0) return { outcome: 'failure', reason: 'TEXT_UNDECRYPTABLE' };
  return failedFiles > 0
    ? { outcome: 'failure', reason: 'FILE_NOT_ROTATED' }
    : { outcome: 'success' };
}
