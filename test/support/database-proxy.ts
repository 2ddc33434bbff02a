// The door between an application and the suite's PostgreSQL.
import { TcpProxy } from './tcp-proxy.js';

export class DatabaseProxy extends TcpProxy {
  private readonly pathname: string;

  /** @param target the URL of a database on a Unix socket */
  constructor(target: string) {
    const { pathname, searchParams } = new URL(target);
    super({ path: `${searchParams.get('host') ?? ''}/.s.PGSQL.5432` });
    this.pathname = pathname;
  }

  /** The URL of the same database through the door. */
  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}${this.pathname}?sslmode=disable`;
  }
}
