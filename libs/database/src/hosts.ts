// The servers of a database with standbys: which one gets the next connection.
import { urlsOfHosts } from '@tessera/runtime';

/**
 * The hosts of a database URL, tried in turn from the one that last worked. Shared by all sessions of a data source.
 * A server is known by its URL with that host alone.
 */
export class DatabaseHosts {
  private readonly urls: readonly [string, ...string[]];
  private position = 0;
  private primary: string | undefined;

  /** @param url may name several hosts */
  constructor(url: string) {
    this.urls = urlsOfHosts(url);
  }

  get count(): number {
    return this.urls.length;
  }

  /** The server to connect to. */
  get current(): string {
    return this.urls[this.position] ?? this.urls[0];
  }

  /** A new connection to this server can write. */
  connected(server: string): void {
    this.primary = server;
  }

  /** The server is unavailable, refuses, or is a standby: the next connection goes to another. */
  failed(server: string): void {
    if (server === this.current) this.position = (this.position + 1) % this.count;
  }

  /** Whether a newer connection found another primary server: this one may have been replaced without knowing it. */
  isReplaced(server: string): boolean {
    return this.primary !== undefined && this.primary !== server;
  }
}
