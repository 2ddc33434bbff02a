// The record of a run: every operation of the load, every logout message and every fault, in milliseconds of one monotonic
// clock. It has names in place of ids: `s12` is a session, `t40` a ticket.

export type Kind =
  | 'login'
  | 'form'
  | 'form-login'
  | 'check'
  | 'grant'
  | 'validate'
  | 'proxy-grant'
  | 'proxy-validate'
  | 'register'
  | 'reload'
  | 'logout'
  | 'end-session';

/**
 * `ok`: done. `refused`: a 4xx answer. `unknown`: a 5xx answer, or none at all; it may have been done.
 */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface Operation {
  readonly kind: Kind;
  /** `proxy`, or the name of the node that it was sent to. */
  readonly to: string;
  /** The node that answered, if it is known. */
  readonly node?: string;
  readonly sent: number;
  /** When it was answered, or given up. */
  readonly answered: number;
  /** Undefined without an answer. */
  readonly status?: number;
  readonly outcome: Outcome;
  /** The session that the operation opens, uses or ends. */
  readonly session?: string;
  /** The ticket that it grants or presents. */
  readonly ticket?: string;
  /** Of a login and of an accepted ticket. */
  readonly user?: string;
  /** Of a granted and of a presented ticket. */
  readonly service?: string;
}

/** A logout message that an application received. */
export interface LogoutMessage {
  readonly ticket: string;
  readonly at: number;
}

export interface FaultWindow {
  readonly name: string;
  readonly from: number;
  /** When it was healed. */
  readonly healed: number;
  /** Stated time after that in which failures still belong to it, in ms. */
  readonly recovery: number;
  /** A planned change, such as a reload, excuses no failure behind the proxy. */
  readonly isPlanned: boolean;
  /** Whether it concerns the standby alone, for which tickets never wait. */
  readonly isOfStandby: boolean;
  /** Whether records that do not wait for the disk may be lost: a server of PostgreSQL died. */
  readonly losesRecords: boolean;
}

export interface ChaosRecord {
  /** How long a session lives if nothing ends it, in ms. */
  readonly sessionLifetime: number;
  readonly operations: readonly Operation[];
  readonly messages: readonly LogoutMessage[];
  readonly faults: readonly FaultWindow[];
  /** Sessions that have ended by then owe their logout messages. */
  readonly end: number;
}

/** Collects the record of a run. */
export class Recorder {
  readonly operations: Operation[] = [];
  readonly messages: LogoutMessage[] = [];
  readonly faults: FaultWindow[] = [];
  private readonly names = new Map<string, string>();

  constructor(private readonly sessionLifetime: number) {}

  /** The name of a session or ticket in the record. @param id kept in memory alone */
  nameOf(id: string): string {
    const known = this.names.get(id);
    if (known !== undefined) return known;
    const name = `${id.startsWith('TGT') ? 's' : 't'}${this.names.size}`;
    this.names.set(id, name);
    return name;
  }

  /** The record so far. @param end see {@link ChaosRecord.end} */
  until(end: number): ChaosRecord {
    const { sessionLifetime, operations, messages, faults } = this;
    return { sessionLifetime, operations, messages, faults, end };
  }
}

/** The fault in whose time, recovery included, something happened. */
export function faultDuring(
  faults: readonly FaultWindow[],
  { from, to }: { readonly from: number; readonly to: number },
): FaultWindow | undefined {
  return faults.find((fault) => from <= fault.healed + fault.recovery && to >= fault.from);
}
