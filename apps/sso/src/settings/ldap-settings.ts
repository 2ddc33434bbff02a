// Owns the settings of the handler `ldap`: where the directory is, how users are found in it, what is taken over.
import { holdsPassword, NOT_FOR_SERVICES } from '@tessera/accounts';
import type { LdapOptions } from '@tessera/ldap';
import {
  boolean,
  type Violation,
  type CoreSettings,
  duration,
  integer,
  list,
  Live,
  map,
  Max,
  Min,
  oneOf,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/settings';
import {
  comparedAttribute,
  dnFault,
  dnTemplateFault,
  filterFault,
  namingAttribute,
  templateOf,
} from './ldap-templates.js';
import type { PrincipalSettings } from './principal-settings.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;

const ATTRIBUTES_FROM = 'sso.authentication.attributes-from=ldap';

/** What the rules look at besides: the settings that hold this group. */
type Holder = CoreSettings & {
  readonly handlers?: readonly string[];
  readonly principals?: Pick<PrincipalSettings, 'attributesFrom'>;
};

@Live()
export class LdapSettings implements SettingsGroup {
  /** Servers, asked in this order. */
  @Setting('sso.authentication.ldap.urls', list) urls: readonly string[] = [];
  /** Whether `ldap://` servers must speak TLS. */
  @Setting('sso.authentication.ldap.start-tls', boolean) startTls = false;
  /** PEM: the CAs of the servers' certificates, instead of the public ones. */
  @Setting('sso.authentication.ldap.ca-file', text) caFile = '';

  /** The account that searches for users; empty: anonymous. */
  @Setting('sso.authentication.ldap.bind-dn', text) bindDn = '';
  @Setting('sso.authentication.ldap.bind-password', secret) bindPassword: Secret | undefined =
    undefined;
  @Setting('sso.authentication.ldap.base-dn', text) baseDn = '';
  @Setting('sso.authentication.ldap.scope', oneOf('sub', 'one')) scope: 'sub' | 'one' = 'sub';
  @Setting('sso.authentication.ldap.filter', text) filter = '(uid={username})';

  /** The name of users' entries; given, nobody searches. */
  @Setting('sso.authentication.ldap.user-dn', text) userDn = '';

  /** The attribute that is the user's id; empty: the one that the user name is compared with. */
  @Setting('sso.authentication.ldap.id-attribute', text) idAttribute = '';
  /** What users' attributes are called here, by their names in the directory. */
  @Setting('sso.authentication.ldap.attributes', map(text)) attributes: Readonly<
    Record<string, string>
  > = {
    mail: 'mail',
    displayName: 'displayName',
    givenName: 'givenName',
    sn: 'sn',
  };

  @Setting('sso.authentication.ldap.connect-timeout', duration)
  @Min(10)
  @Max(MINUTE)
  connectTimeout = SECOND;
  /** For all that one server has to answer for one login. */
  @Setting('sso.authentication.ldap.timeout', duration) @Min(10) @Max(MINUTE) timeout = 2 * SECOND;
  /** How long a server that is away is passed by. */
  @Setting('sso.authentication.ldap.retry-interval', duration)
  @Min(0)
  @Max(60 * MINUTE)
  retryInterval = 10 * SECOND;
  /** Connections of a process to one server for searches, and as many for users' binds. */
  @Setting('sso.authentication.ldap.pool-size', integer) @Min(1) @Max(1_000) poolSize = 10;

  /** What is made of these settings is made of them too. */
  get files(): readonly string[] {
    return this.caFile === '' ? [] : [this.caFile];
  }

  /** Of settings that {@link check} has nothing against. */
  options(): LdapOptions {
    const { urls, startTls, attributes, connectTimeout, timeout, retryInterval, poolSize } = this;
    const limits = { connectTimeout, timeout, retryInterval, poolSize };
    const caFile =
      this.caFile === '' ? undefined : { setting: keyOf('ca-file'), path: this.caFile };
    const idAttribute = this.effectiveIdAttribute ?? '';
    return { urls, startTls, caFile, users: this.users, idAttribute, attributes, ...limits };
  }

  *check(settings: Holder): Iterable<Violation> {
    if (settings.handlers?.includes('ldap')) yield* this.missingForLogins();
    else if (settings.principals?.attributesFrom === 'ldap') yield* this.missingForAttributes();
    if (settings.principals?.attributesFrom === 'ldap' && this.userDn !== '') {
      yield about('user-dn', `excludes the search that ${ATTRIBUTES_FROM} needs: give base-dn`);
    }
    yield* this.checkServers(settings.isActive('production'));
    yield* this.checkAccount();
    yield* this.checkNames();
    yield* this.checkAttributes();
    if (this.timeout < this.connectTimeout) {
      yield about('timeout', `must not be less than ${keyOf('connect-timeout')}`);
    }
  }

  private get users(): LdapOptions['users'] {
    if (this.userDn !== '') return { dn: templateOf(this.userDn) };
    const password = this.bindPassword?.reveal() ?? '';
    return {
      base: this.baseDn,
      scope: this.scope,
      filter: templateOf(this.filter),
      account: this.bindDn === '' ? undefined : { dn: this.bindDn, password },
    };
  }

  private get effectiveIdAttribute(): string | undefined {
    if (this.idAttribute !== '') return this.idAttribute;
    return this.userDn === ''
      ? comparedAttribute(templateOf(this.filter))
      : namingAttribute(templateOf(this.userDn));
  }

  private *missingForAttributes(): Iterable<Violation> {
    if (this.urls.length === 0) yield about('urls', `is required by ${ATTRIBUTES_FROM}`);
    if (this.baseDn === '' && this.userDn === '') {
      yield about('base-dn', `is required by ${ATTRIBUTES_FROM}`);
    }
  }

  private *missingForLogins(): Iterable<Violation> {
    if (this.urls.length === 0) yield about('urls', 'is required by the handler ldap');
    if (this.baseDn === '' && this.userDn === '') {
      yield about('base-dn', `or ${keyOf('user-dn')} is required by the handler ldap`);
    }
  }

  private *checkServers(isProduction: boolean): Iterable<Violation> {
    if (!this.urls.every(isServer)) {
      yield about('urls', 'must list servers as ldap://host:port or ldaps://host:port');
    } else if (isProduction && !this.startTls && this.urls.some(isInTheOpen)) {
      yield about('urls', 'must be ldaps, or ldap with start-tls, in profile production');
    }
  }

  private *checkAccount(): Iterable<Violation> {
    const hasPassword = (this.bindPassword?.reveal() ?? '') !== '';
    if (this.bindDn !== '' && !/[=@\\]/.test(this.bindDn)) {
      yield about('bind-dn', 'must be a distinguished name, or a name as user@domain');
    }
    if (this.bindDn !== '' && !hasPassword) {
      yield about('bind-password', `is required with ${keyOf('bind-dn')}`);
    }
    if (this.bindDn === '' && hasPassword) {
      yield about('bind-dn', `is required with ${keyOf('bind-password')}`);
    }
  }

  private *checkNames(): Iterable<Violation> {
    const faults = {
      'base-dn': this.baseDn === '' ? undefined : dnFault(this.baseDn),
      'user-dn': this.userDn === '' ? undefined : dnTemplateFault(templateOf(this.userDn)),
      filter: filterFault(templateOf(this.filter)),
    };
    for (const [name, fault] of Object.entries(faults)) {
      if (fault !== undefined) yield about(name, fault);
    }
    if (this.userDn !== '' && (this.baseDn !== '' || this.bindDn !== '')) {
      const others = `${keyOf('base-dn')} and ${keyOf('bind-dn')}`;
      yield about('user-dn', `excludes a search: ${others} must be empty`);
    }
  }

  private *checkAttributes(): Iterable<Violation> {
    const id = this.effectiveIdAttribute;
    if (id !== undefined && !ATTRIBUTE_NAME.test(id)) {
      yield about('id-attribute', 'must be the name of an LDAP attribute');
    }
    // What else leaves it open is a fault of the template, which is told there.
    if (id === undefined && this.userDn === '' && !filterFault(templateOf(this.filter))) {
      const where = `where ${keyOf('filter')} does not compare {username} with one attribute`;
      yield about('id-attribute', `is required ${where}`);
    }
    for (const [index, [theirs, ours]] of Object.entries(this.attributes).entries()) {
      if (holdsPassword(theirs) || holdsPassword(ours)) {
        const rule = `entry ${index + 1} ${NOT_FOR_SERVICES}`;
        yield about('attributes', `may not hold "${theirs}": it ${NOT_FOR_SERVICES}`, rule);
      }
      if (ATTRIBUTE_NAME.test(theirs) && ours !== '') continue;
      const rule = 'must map names of LDAP attributes to names';
      yield about('attributes', `${rule}, not "${theirs}"`, `${rule}: entry ${index + 1} does not`);
    }
  }
}

function keyOf(name: string): string {
  return `sso.authentication.ldap.${name}`;
}

function about(name: string, message: string, rule = message): Violation {
  return { key: keyOf(name), message, rule };
}

function isServer(written: string): boolean {
  const url = URL.parse(written);
  return url !== null && /^ldaps?:\/\/[^/?#@]+\/?$/.test(written) && url.hostname !== '';
}

function isInTheOpen(written: string): boolean {
  const { protocol, hostname } = new URL(written);
  return protocol === 'ldap:' && !/^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname);
}
