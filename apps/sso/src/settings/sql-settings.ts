// The settings of an SQL query for attributes: its database, the query, and limits.
import { Max, Min } from 'class-validator';
import {
  type CoreSettings,
  duration,
  integer,
  oneOf,
  sameValues,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
  type Violation,
} from '@tessera/config';
import { urlFormatViolation, urlsOfHosts } from '@tessera/runtime';

const SECOND = 1_000;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 32;
/** Names of other sources and of handlers. */
const TAKEN = ['accounts', 'ldap', 'none', 'sql', 'static', 'x509'];

/** `columns`: each column is an attribute; `name-value`: each row has a name and a value. */
export type SqlResult = 'columns' | 'name-value';

type HoldingSettings = CoreSettings & {
  readonly sqlSources: readonly SqlSettings[];
  readonly directories: readonly { readonly handler: string }[];
};

export class SqlSettings implements SettingsGroup {
  /** PostgreSQL URL of one host. */
  @Setting('sso.authentication.sql.url', secret) url: Secret | undefined = undefined;
  /** A `select` with the user's name as its parameter `$1`. */
  @Setting('sso.authentication.sql.query', text) query = '';
  @Setting('sso.authentication.sql.result', oneOf('columns', 'name-value')) result: SqlResult =
    'columns';
  /** To get a connection, and again for the answer. */
  @Setting('sso.authentication.sql.timeout', duration)
  @Min(10)
  @Max(60 * SECOND)
  timeout = 2 * SECOND;
  @Setting('sso.authentication.sql.pool-size', integer) @Min(1) @Max(100) poolSize = 2;

  /** @param name absent for the query whose keys have none */
  constructor(readonly name?: string) {}

  /** Its name as a source. */
  get handler(): string {
    return this.name ?? 'sql';
  }

  /** Whether none of its settings differs from the default. */
  get isDefault(): boolean {
    return sameValues(this, new SqlSettings(this.name));
  }

  *check({ sqlSources, directories }: HoldingSettings): Iterable<Violation> {
    if (!sqlSources.includes(this)) return;
    yield* this.checkName(directories.map(({ handler }) => handler));
    const violation = this.urlViolation();
    if (violation !== undefined) yield { key: this.keyOf('url'), message: violation };
    const parameters = new Set(this.query.match(/\$\d+/g));
    if (!/^\s*(?:select|with|values|table)\b/i.test(this.query)) {
      yield { key: this.keyOf('query'), message: 'must be a select' };
    } else if (!parameters.has('$1') || parameters.size > 1) {
      yield { key: this.keyOf('query'), message: 'must have $1, the name of the user, alone' };
    }
  }

  private *checkName(directories: readonly string[]): Iterable<Violation> {
    const { name } = this;
    if (name === undefined) return;
    const key = this.keyOf('query');
    if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
      const message = `must be below a name of lower-case letters, digits and -, of at most ${MAX_NAME_LENGTH}`;
      yield { key, message };
    } else if (TAKEN.includes(name) || directories.includes(name)) {
      yield { key, message: `must be below another name: ${name} is taken` };
    }
  }

  private urlViolation(): string | undefined {
    const url = this.url?.reveal() ?? '';
    if (url === '') return 'is required by the query';
    return urlsOfHosts(url).length > 1 ? 'must name one host' : urlFormatViolation(url);
  }

  private keyOf(setting: string): string {
    return ['sso.authentication.sql', this.name, setting].filter(Boolean).join('.');
  }
}
