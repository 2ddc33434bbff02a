// The settings of an LDAP directory: servers, user search, and attributes.
import { Max, Min } from 'class-validator';
import { holdsPassword } from '@tessera/accounts';
import type { GroupOptions, LdapOptions, PasswordChangeKind } from '@tessera/ldap';
import {
  boolean,
  type Violation,
  type CoreSettings,
  duration,
  integer,
  list,
  map,
  oneOf,
  sameValues,
  secret,
  type Secret,
  Setting,
  type SettingsGroup,
  text,
} from '@tessera/config';
import { ATTRIBUTE_NAME, attributeViolations } from './ldap-attribute-rules.js';
import { isEncrypted, serversViolation } from './ldap-servers.js';
import {
  comparedAttribute,
  dnViolation,
  dnTemplateViolation,
  filterViolation,
  namingAttribute,
  normalizeTemplate,
} from './ldap-templates.js';
import type { PrincipalSettings } from './principal-settings.js';
import { patternViolations } from './setting-rules.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const ATTRIBUTES_FROM = 'sso.authentication.attributes-from';

/** The other settings that the rules depend on. */
type HoldingSettings = CoreSettings & {
  readonly directories: readonly LdapSettings[];
  readonly handlers: readonly string[];
  readonly principals: Pick<PrincipalSettings, 'sourceNameOf'>;
};

export class LdapSettings implements SettingsGroup {
  /** Servers, tried in this order. */
  @Setting('sso.authentication.ldap.urls', list) urls: readonly string[] = [];
  /** Whether connections to `ldap://` servers use StartTLS. */
  @Setting('sso.authentication.ldap.start-tls', boolean) startTls = false;
  /** PEM: trusted CAs, instead of the public ones. */
  @Setting('sso.authentication.ldap.ca-file', text) caFile = '';

  /** The account for searches; empty: anonymous. */
  @Setting('sso.authentication.ldap.bind-dn', text) bindDn = '';
  @Setting('sso.authentication.ldap.bind-password', secret) bindPassword: Secret | undefined =
    undefined;
  @Setting('sso.authentication.ldap.base-dn', text) baseDn = '';
  @Setting('sso.authentication.ldap.scope', oneOf('sub', 'one')) scope: 'sub' | 'one' = 'sub';
  @Setting('sso.authentication.ldap.filter', text) filter = '(uid={username})';

  /** Template of the DN of users; if set, the DN is not searched. */
  @Setting('sso.authentication.ldap.user-dn', text) userDn = '';

  /** The user names that the directory is asked for, in RE2 syntax. */
  @Setting('sso.authentication.ldap.name-pattern', text) namePattern = '.*';

  /** The attribute with the user's id; empty: the attribute that the user name is compared with. */
  @Setting('sso.authentication.ldap.id-attribute', text) idAttribute = '';
  /** Maps attribute names of the directory to names of released attributes. */
  @Setting('sso.authentication.ldap.attributes', map(text)) attributes: Readonly<
    Record<string, string>
  > = {
    mail: 'mail',
    displayName: 'displayName',
    givenName: 'givenName',
    sn: 'sn',
  };

  /** Attributes whose values are always given in Base64. */
  @Setting('sso.authentication.ldap.binary-attributes', list)
  binaryAttributes: readonly string[] = ['objectGUID', 'mS-DS-ConsistencyGuid'];

  /** Which groups of a user become an attribute. */
  @Setting('sso.authentication.ldap.groups', oneOf('none', 'direct', 'nested', 'active-directory'))
  groups: 'none' | GroupOptions['depth'] = 'none';
  /** Empty: `base-dn`. */
  @Setting('sso.authentication.ldap.groups-base-dn', text) groupsBaseDn = '';
  /** The attribute of a group whose values are taken; `dn`: its distinguished name. */
  @Setting('sso.authentication.ldap.groups-value', text) groupsValue = 'cn';
  @Setting('sso.authentication.ldap.groups-attribute', text) groupsAttribute = 'memberOf';

  /** Of the user, with the time at which the password expires; empty where the answer to the bind says it. */
  @Setting('sso.authentication.ldap.password-expiry', text) passwordExpiry = '';
  /** How users change their passwords. */
  @Setting('sso.authentication.ldap.password-change', oneOf('off', 'rfc3062', 'ad'))
  passwordChange: 'off' | PasswordChangeKind = 'off';

  @Setting('sso.authentication.ldap.connect-timeout', duration)
  @Min(10)
  @Max(MINUTE)
  connectTimeout = SECOND;
  /** For all operations of one login at one server. */
  @Setting('sso.authentication.ldap.timeout', duration) @Min(10) @Max(MINUTE) timeout = 2 * SECOND;
  /** How long an unavailable server is skipped. */
  @Setting('sso.authentication.ldap.retry-interval', duration)
  @Min(0)
  @Max(60 * MINUTE)
  retryInterval = 10 * SECOND;
  /** Connections of a process to one server for searches, and the same number for binds of users. */
  @Setting('sso.authentication.ldap.pool-size', integer) @Min(1) @Max(1_000) poolSize = 10;

  /** @param name absent for the only directory, whose keys have none */
  constructor(readonly name?: string) {}

  /** The name of its handler, as in the log and in sessions. */
  get handler(): string {
    return this.name ?? 'ldap';
  }

  /** Whether users can be found without their password. */
  get isSearched(): boolean {
    return this.userDn === '';
  }

  /** Whether none of its settings differs from the default. */
  get isDefault(): boolean {
    return sameValues(this, new LdapSettings(this.name));
  }

  /** The files that the LDAP connections depend on. */
  get files(): readonly string[] {
    return this.caFile === '' ? [] : [this.caFile];
  }

  /** Requires settings without violations. */
  options(): LdapOptions {
    const { urls, startTls, attributes, connectTimeout, timeout, retryInterval, poolSize } = this;
    const limits = { connectTimeout, timeout, retryInterval, poolSize };
    const caFile =
      this.caFile === '' ? undefined : { setting: this.keyOf('ca-file'), path: this.caFile };
    const idAttribute = this.effectiveIdAttribute ?? '';
    const { handler: name, users } = this;
    const { binaryAttributes, groupOptions: groups } = this;
    const read = { idAttribute, attributes, binaryAttributes, groups };
    const passwords = {
      passwordExpiryAttribute: this.passwordExpiry || undefined,
      passwordChange: this.passwordChange === 'off' ? undefined : this.passwordChange,
    };
    return { name, urls, startTls, caFile, users, ...read, ...passwords, ...limits };
  }

  *check(settings: HoldingSettings): Iterable<Violation> {
    if (!settings.directories.includes(this)) return;
    const source = settings.principals.sourceNameOf(this);
    if (settings.handlers.includes('ldap')) yield* this.requiredForLogins();
    else if (source !== undefined) yield* this.requiredForAttributes(source);
    if (source !== undefined && !this.isSearched) {
      const reason = `${ATTRIBUTES_FROM}=${source}`;
      yield this.violation('user-dn', `excludes the search that ${reason} needs: give base-dn`);
    }
    const wrong = serversViolation(this.urls, this.startTls, settings.isActive('production'));
    if (wrong !== undefined) yield this.violation('urls', wrong);
    else if (this.passwordChange === 'ad' && !isEncrypted(this.urls, this.startTls)) {
      yield this.violation('password-change', 'may be ad only over ldaps or with start-tls');
    }
    yield* this.checkAccount();
    yield* this.checkDnsAndFilter();
    yield* this.checkAttributes();
    yield* this.checkBinary();
    yield* this.checkGroups();
    yield* patternViolations(this.keyOf('name-pattern'), this.namePattern);
    if (this.timeout < this.connectTimeout) {
      yield this.violation('timeout', `must not be less than ${this.keyOf('connect-timeout')}`);
    }
  }

  private get users(): LdapOptions['users'] {
    if (!this.isSearched) return { dn: normalizeTemplate(this.userDn) };
    const password = this.bindPassword?.reveal() ?? '';
    return {
      base: this.baseDn,
      scope: this.scope,
      filter: normalizeTemplate(this.filter),
      account: this.bindDn === '' ? undefined : { dn: this.bindDn, password },
    };
  }

  private get groupOptions(): GroupOptions | undefined {
    const { groups: depth, groupsValue: value, groupsAttribute: attribute } = this;
    if (depth === 'none') return undefined;
    return { depth, base: this.groupsBaseDn || this.baseDn, value, attribute };
  }

  private get effectiveIdAttribute(): string | undefined {
    if (this.idAttribute !== '') return this.idAttribute;
    return this.userDn === ''
      ? comparedAttribute(normalizeTemplate(this.filter))
      : namingAttribute(normalizeTemplate(this.userDn));
  }

  private *requiredForAttributes(source: string): Iterable<Violation> {
    const message = `is required by ${ATTRIBUTES_FROM}=${source}`;
    if (this.urls.length === 0) yield this.violation('urls', message);
    if (this.baseDn === '' && this.userDn === '') yield this.violation('base-dn', message);
  }

  private *requiredForLogins(): Iterable<Violation> {
    if (this.urls.length === 0) yield this.violation('urls', 'is required by the handler ldap');
    if (this.baseDn === '' && this.userDn === '') {
      yield this.violation(
        'base-dn',
        `or ${this.keyOf('user-dn')} is required by the handler ldap`,
      );
    }
  }

  private *checkAccount(): Iterable<Violation> {
    const hasPassword = (this.bindPassword?.reveal() ?? '') !== '';
    if (this.bindDn !== '' && !/[=@\\]/.test(this.bindDn)) {
      yield this.violation('bind-dn', 'must be a distinguished name, or a name as user@domain');
    }
    if (this.bindDn !== '' && !hasPassword) {
      yield this.violation('bind-password', `is required with ${this.keyOf('bind-dn')}`);
    }
    if (this.bindDn === '' && hasPassword) {
      yield this.violation('bind-dn', `is required with ${this.keyOf('bind-password')}`);
    }
  }

  private *checkDnsAndFilter(): Iterable<Violation> {
    const violations = {
      'base-dn': this.baseDn === '' ? undefined : dnViolation(this.baseDn),
      'user-dn':
        this.userDn === '' ? undefined : dnTemplateViolation(normalizeTemplate(this.userDn)),
      filter: filterViolation(normalizeTemplate(this.filter)),
    };
    for (const [name, message] of Object.entries(violations)) {
      if (message !== undefined) yield this.violation(name, message);
    }
    if (this.userDn !== '' && (this.baseDn !== '' || this.bindDn !== '')) {
      const others = `${this.keyOf('base-dn')} and ${this.keyOf('bind-dn')}`;
      yield this.violation('user-dn', `excludes a search: ${others} must be empty`);
    }
  }

  private *checkAttributes(): Iterable<Violation> {
    const id = this.effectiveIdAttribute;
    if (id !== undefined && !ATTRIBUTE_NAME.test(id)) {
      yield this.violation('id-attribute', 'must be the name of an LDAP attribute');
    }
    if (this.passwordExpiry !== '' && !ATTRIBUTE_NAME.test(this.passwordExpiry)) {
      yield this.violation('password-expiry', 'must be the name of an LDAP attribute');
    }
    const isFilter = !filterViolation(normalizeTemplate(this.filter));
    // An invalid one is reported by itself.
    if (id === undefined && this.isSearched && isFilter) {
      const where = `where ${this.keyOf('filter')} does not compare {username} with one attribute`;
      yield this.violation('id-attribute', `is required ${where}`);
    }
    for (const { message, rule } of attributeViolations(this.attributes)) {
      yield this.violation('attributes', message, rule);
    }
  }

  private *checkBinary(): Iterable<Violation> {
    const wrong = this.binaryAttributes.find((name) => !/^[a-z][a-z0-9-]*(;binary)?$/i.test(name));
    if (wrong === undefined) return;
    const rule = 'must list names of LDAP attributes';
    yield this.violation('binary-attributes', `${rule}, not ${JSON.stringify(wrong)}`, rule);
  }

  private *checkGroups(): Iterable<Violation> {
    if (this.groups === 'none') return;
    const name = this.groupsAttribute;
    if (!this.isSearched) {
      yield this.violation('groups', `needs a search for users: give base-dn, not user-dn`);
    }
    if (this.groupsBaseDn !== '') {
      const message = dnViolation(this.groupsBaseDn);
      if (message !== undefined) yield this.violation('groups-base-dn', message);
    }
    if (!ATTRIBUTE_NAME.test(this.groupsValue) || holdsPassword(this.groupsValue)) {
      yield this.violation('groups-value', 'must be dn, or the name of an LDAP attribute');
    }
    if (name === '' || holdsPassword(name) || Object.values(this.attributes).includes(name)) {
      const message = `must be a name that ${this.keyOf('attributes')} does not have`;
      yield this.violation('groups-attribute', message);
    }
  }

  private keyOf(setting: string): string {
    return ['sso.authentication.ldap', this.name, setting].filter(Boolean).join('.');
  }

  private violation(setting: string, message: string, rule = message): Violation {
    return { key: this.keyOf(setting), message, rule };
  }
}
