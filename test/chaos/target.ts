// What the load and the faults need of an environment. `environment/` has the first one: processes of this machine.

/** A process, or a group of processes, that can fail. */
export interface Member {
  readonly name: string;
  /** SIGKILL to all of it. */
  kill(): Promise<void>;
  /** SIGSTOP to all of it. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Starts it again, and returns when it serves. */
  start(): Promise<void>;
}

export interface NodeMember extends Member {
  /** SIGTERM, and waits for its end. */
  stop(): Promise<void>;
  /** Stops it, and starts it with a clock that is ahead. Undefined without libfaketime. */
  readonly restartAhead: ((seconds: number) => Promise<void>) | undefined;
  /** Changes a setting in its file, and asks for a reload. */
  reload(): Promise<void>;
  /** The connection between it and the database. */
  readonly wire: Wire;
}

export interface Wire {
  /** Closes all connections. */
  cut(): void;
  /** Delays all replies. @param ms 0 for none */
  delay(ms: number): void;
}

/** Network and disk of a machine. What is undefined is not possible here. */
export interface Machine {
  readonly partition: (() => Promise<void>) | undefined;
  readonly lose: ((percent: number) => Promise<void>) | undefined;
  /** Ends both. */
  readonly reconnect: () => Promise<void>;
  readonly fillDisk: (() => Promise<void>) | undefined;
  readonly freeDisk: () => Promise<void>;
  readonly slowDisk: (() => Promise<void>) | undefined;
  readonly hastenDisk: () => Promise<void>;
}

export interface DatabaseMember extends Member {
  readonly machine: Machine;
}

export interface Database {
  readonly primary: DatabaseMember;
  readonly standby: DatabaseMember;
  /** As long as the standby is away, commits do not wait for it. */
  waitForStandby(waits: boolean): Promise<void>;
  /** From now on the standby gets nothing of the primary, until it is rebuilt. */
  detachStandby(): Promise<void>;
  /** Makes the standby the primary; fences the old primary first, unless the scenario has none. */
  failover(): Promise<void>;
  /** Makes the old primary a standby of the new one. */
  rebuildStandby(): Promise<void>;
}

/** Where requests go. */
export interface Address {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** What the load needs. */
export interface LoadTarget {
  readonly proxy: Address;
  readonly nodes: readonly Address[];
  /** Addresses of the management servers, and the token for them. */
  readonly management?: { readonly nodes: readonly Address[]; readonly token: string };
  /** Address of this machine for the nodes, for logout messages and callbacks. */
  readonly ownHost: string;
  /** Path of the base URL. */
  readonly path: string;
  /** Names of users with the password `Mellon`. */
  readonly users: readonly string[];
}

export interface ChaosTarget extends LoadTarget {
  readonly members: readonly (NodeMember & { readonly machine: Machine })[];
  readonly database: Database;
}
