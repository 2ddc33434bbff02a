// The settings of the principal policy, which applies to every handler: account status and further attributes.
import { Max, Min } from 'class-validator';
import { accountName, holdsPassword, NOT_FOR_SERVICES } from '@tessera/accounts';
import {
  boolean,
  type CoreSettings,
  duration,
  list,
  map,
  oneOf,
  Setting,
  type SettingsGroup,
  text,
  type Violation,
} from '@tessera/config';
import { AttributeTemplate, TemplateError } from '../authentication/attribute-template.js';
import type { MergeRule } from '../authentication/merged-attributes.js';

const FROM = 'sso.authentication.attributes-from';
const OPTIONAL = 'sso.authentication.attributes-optional';
const COMPUTED = 'sso.authentication.computed-attributes';
const MAX_COMPUTED = 100;
const HOUR = 3_600_000;

interface NamedSource {
  /** Its name; that of a directory is also that of its handler. */
  readonly handler: string;
}

/** The settings that hold the group. */
type HoldingSettings = CoreSettings & {
  readonly directories: readonly NamedSource[];
  readonly sqlSources: readonly NamedSource[];
};

export class PrincipalSettings implements SettingsGroup {
  /** Whether a disabled or expired account refuses the principal of the same name, for every handler. */
  @Setting('sso.authentication.account-status', boolean) accountStatus = true;
  /** The names of the sources of further attributes, in the order in which they are merged. */
  @Setting(FROM, list) attributesFrom: readonly string[] = [];
  /** Those of them without which a login succeeds too. */
  @Setting(OPTIONAL, list) optionalSources: readonly string[] = [];
  @Setting('sso.authentication.attributes-merge', oneOf('replace', 'add', 'multi-valued'))
  mergeRule: MergeRule = 'replace';
  /** How long the attributes of a source are used for further logins of the same user; 0: not at all. */
  @Setting('sso.authentication.attributes-cache', duration) @Min(0) @Max(HOUR) cacheFor = 0;

  /** Templates by the names of the attributes that they compute. */
  @Setting(COMPUTED, map(text)) computedAttributes: Readonly<Record<string, string>> = {};

  /** The name by which a directory is a source; undefined if it is none. */
  sourceNameOf({ handler }: NamedSource): string | undefined {
    return this.attributesFrom.find((name) => name === 'ldap' || name === handler);
  }

  *check({ directories, sqlSources }: HoldingSettings): Iterable<Violation> {
    const { attributesFrom, optionalSources } = this;
    const named = [...directories, ...sqlSources].map(({ handler }) => handler);
    const known = new Set(['accounts', 'ldap', ...named]);
    const unknown = attributesFrom.find((name) => !known.has(name));
    if (unknown !== undefined) {
      const rule = 'must list accounts, ldap, sql, names of directories or of SQL queries';
      yield { key: FROM, message: `${rule}, not ${JSON.stringify(unknown)}`, rule };
    }
    if (new Set(attributesFrom).size < attributesFrom.length) {
      yield { key: FROM, message: 'lists a name twice' };
    }
    const unlisted = sqlSources.find(({ handler }) => !attributesFrom.includes(handler));
    if (unlisted !== undefined) {
      yield { key: FROM, message: `must list ${unlisted.handler}, which has settings` };
    }
    const stray = optionalSources.find((name) => !attributesFrom.includes(name));
    if (stray !== undefined) {
      const rule = `must list names of ${FROM}`;
      yield { key: OPTIONAL, message: `${rule}, not ${JSON.stringify(stray)}`, rule };
    }
    yield* this.checkComputed();
  }

  private *checkComputed(): Iterable<Violation> {
    const templates = Object.entries(this.computedAttributes);
    if (templates.length > MAX_COMPUTED) {
      yield { key: COMPUTED, message: `must have at most ${MAX_COMPUTED} entries` };
    }
    for (const [index, [name, template]] of templates.entries()) {
      const error = computedViolation(name, template);
      if (error === undefined) continue;
      const [message, rule] = error;
      const entry = `entry ${index + 1}`;
      yield { key: COMPUTED, message: `${entry}, "${name}", ${message}`, rule: `${entry} ${rule}` };
      return;
    }
  }
}

/** What is wrong, with and without a quotation. */
function computedViolation(
  name: string,
  template: string,
): readonly [message: string, rule: string] | undefined {
  if (holdsPassword(name)) return [NOT_FOR_SERVICES, NOT_FOR_SERVICES];
  if (accountName(name) !== name) {
    const rule = 'is no name of an attribute';
    return [rule, rule];
  }
  try {
    AttributeTemplate.parse(template);
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [error.message, `${error.rule} at column ${error.column}`];
  }
}
