// What outlives an application: these parts belong to the process, and every application of it uses them in turn.
import type { ProcessParts } from '@tessera/server';

export interface SsoParts extends ProcessParts {
  /** One id for the processes of this node, to recognise their announcements in the database. */
  readonly nodeId: string;
  /** Whether it serves callers and sends logout messages. The primary process of several does neither. */
  readonly servesRequests: boolean;
}
