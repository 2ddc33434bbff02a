// Settings that are made of several old ones.
import type { Conversion } from '@tessera/config';
import { attributeIn, convertValue, fileOf, partsOf } from './conversions.js';
import { claims, scopesOfClaims } from './oidc-settings.js';
import type { OldSetting } from './old-settings.js';
import type { Application, SettingsDraft } from './settings-draft.js';

interface Target {
  readonly draft: SettingsDraft;
  readonly application: Application;
}

type Compose = (olds: readonly OldSetting[], target: Target) => void;

/** By the name in the table. Each gets the old settings of its rows. */
export const COMPOSED: Readonly<Partial<Record<Conversion, Compose>>> = {
  'base-url': baseUrl,
  tls,
  database,
  'vault-uri': vaultUri,
  'config-uri': configUri,
  'remember-me': rememberMe,
  threshold,
  users,
  'static-attributes': staticAttributes,
  claims,
  'scopes-of-claims': scopesOfClaims,
};

const DEFAULT_PATH = '/cas';
/** The default of `sso.throttle.login.address-threshold`, which may not be less than the threshold. */
const ADDRESS_THRESHOLD = 100;
const NO_DATABASE = 'set database.url: PostgreSQL is the only database';
const NOT_IN_DIRECTORIES =
  'users of directories have it by sso.authentication.computed-attributes alone';
const STATIC_USERS = 'sso.authentication.static.users';

function textOf(olds: readonly OldSetting[], end: string): string {
  return olds.find(({ name }) => name.endsWith(end))?.values.join(',') ?? '';
}

function baseUrl(olds: readonly OldSetting[], { draft }: Target): void {
  const name = textOf(olds, 'cas.server.name');
  const path = olds.find(({ name: key }) => key.endsWith('context-path'))?.values[0];
  const url = (
    textOf(olds, 'cas.server.prefix') ||
    (name && name + (path ?? DEFAULT_PATH))
  ).replace(/\/+$/, '');
  for (const old of olds) {
    if (url === '') draft.leave(old, 'set sso.base-url: the URL with its path');
    else draft.take(old, { 'sso.base-url': url });
  }
}

/** A key store is named by the PEM files to make of it: without them there is no start, rather than plain HTTP. */
function tls(olds: readonly OldSetting[], { draft, application }: Target): void {
  const certificate = `${application}.tls.certificate-file`;
  const key = `${application}.tls.key-file`;
  const isOff = /^false$/i.test(textOf(olds, 'server.ssl.enabled'));
  const baseUrlText = draft.valueOf('sso.base-url');
  const isPlain = typeof baseUrlText === 'string' && baseUrlText.startsWith('http:');
  for (const old of olds) {
    const part = old.name.replace('server.ssl.', '');
    const path = fileOf(old.values.join(','));
    if (isOff || isPlain) draft.leave(old, 'the server speaks plain HTTP, behind a proxy');
    else if (part === 'enabled') draft.renamed(old, [certificate, key]);
    else if ((part === 'certificate' || part === 'certificate-private-key') && 'value' in path) {
      draft.take(old, { [part === 'certificate' ? certificate : key]: path.value });
    } else if (part === 'key-store' && 'value' in path) {
      const note = 'make these PEM files of the key store, by keytool and openssl pkcs12';
      draft.take(old, { [certificate]: `${path.value}.crt`, [key]: `${path.value}.key` }, note);
    } else draft.leave(old, `certificates are PEM files: ${certificate}, ${key}`);
  }
}

function database(olds: readonly OldSetting[], { draft }: Target): void {
  const url = URL.parse(textOf(olds, 'spring.datasource.url').replace(/^jdbc:/, ''));
  for (const old of olds) {
    const isPart = /\.(?:url|username|password)$/.test(old.name);
    if (url?.protocol !== 'postgresql:') draft.leave(old, NO_DATABASE);
    else if (!isPart) draft.leave(old, 'the URL decides');
    else {
      url.username = textOf(olds, 'spring.datasource.username') || url.username;
      url.password = textOf(olds, 'spring.datasource.password') || url.password;
      draft.take(old, { 'database.url': url.href });
    }
  }
}

function vaultUri(olds: readonly OldSetting[], { draft, application }: Target): void {
  const ofServer = olds.filter(({ name }) => name.startsWith('spring.cloud.config.server.'));
  const ofClient = olds.filter((old) => !ofServer.includes(old));
  const key = application === 'sso' ? 'vault.uri' : 'config-server.vault.uri';
  for (const [here, parts] of [
    ['vault.uri', ofClient],
    [key, ofServer],
  ] as const) {
    const [scheme, host, port] = ['.scheme', '.host', '.port'].map((end) => textOf(parts, end));
    const uri =
      textOf(parts, '.uri') || `${scheme || 'https'}://${host || 'localhost'}:${port || 8200}`;
    for (const old of parts) draft.take(old, { [here]: uri });
  }
}

/** A user in the URL has settings of its own here. */
function configUri(olds: readonly OldSetting[], { draft }: Target): void {
  const key = 'sso.config-server';
  const isOff = /^false$/i.test(textOf(olds, '.enabled'));
  const urls = partsOf(
    olds.filter(({ name }) => name.endsWith('.uri')).flatMap((each) => each.values),
  );
  for (const old of olds) {
    const parsed = urls.map((url) => URL.parse(url));
    if (isOff || urls.length === 0) draft.leave(old, 'no config server is asked');
    else if (old.name.endsWith('.enabled')) draft.renamed(old, [`${key}.url`]);
    else {
      const user = parsed.find((url) => url !== null && url.username !== '');
      const plain = urls.map((url) => url.replace(/\/\/[^/@]*@/, '//').replace(/\/$/, ''));
      draft.take(old, {
        [`${key}.url`]: plain,
        ...(user && {
          [`${key}.username`]: percentDecoded(user.username),
          [`${key}.password`]: percentDecoded(user.password),
        }),
      });
    }
  }
}

/** As it is, where a percent sign encodes nothing. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Off by default there. */
function rememberMe(olds: readonly OldSetting[], { draft }: Target): void {
  const isOn = /^true$/i.test(textOf(olds, '.enabled'));
  const given = textOf(olds, 'time-to-kill-in-seconds');
  const lifetime = convertValue('seconds', [given || '14d']);
  for (const old of olds) {
    if (/\.(?:enabled|time-to-kill-in-seconds)$/.test(old.name)) {
      const value = isOn && 'value' in lifetime ? lifetime.value : '0s';
      draft.take(old, { 'sso.tickets.tgt.remember-me-lifetime': value });
    } else draft.leave(old, 'the lifetime decides');
  }
}

function threshold(olds: readonly OldSetting[], { draft }: Target): void {
  for (const old of olds) {
    const count = Number(old.values[0]);
    if (!Number.isInteger(count) || count < 1) {
      draft.weaken(old, 'limits failed logins', old.name);
      continue;
    }
    draft.set('sso.throttle.rest.enabled', 'true');
    if (count > ADDRESS_THRESHOLD) draft.set('sso.throttle.login.address-threshold', String(count));
    draft.take(old, {
      'sso.throttle.login.threshold': String(count),
      'sso.throttle.rest.threshold': String(count),
    });
  }
}

function users(olds: readonly OldSetting[], { draft }: Target): void {
  const isOff = /^false$/i.test(textOf(olds, '.enabled'));
  const note = 'not in profile production: import them there';
  for (const old of olds) {
    const list = partsOf(old.values).filter((user) => /^[^:]+::./.test(user));
    if (isOff) draft.leave(old, 'these users are off');
    else if (old.name.endsWith('.enabled')) draft.leave(old, 'sso.authentication.handlers decides');
    else if (list.length === 0) draft.leave(old, 'it names no users');
    else draft.take(old, { [STATIC_USERS]: list }, note);
  }
}

/** There, every user gets them. */
function staticAttributes(olds: readonly OldSetting[], { draft }: Target): void {
  const given = draft.valueOf(STATIC_USERS);
  const names = Array.isArray(given) ? given.map((user: string) => user.split('::')[0] ?? '') : [];
  const hasDirectory = draft.settings.some(({ key }) => /\.ldap\.(?:.*\.)?urls$/.test(key));
  for (const old of olds) {
    const attribute = attributeIn(old.key);
    if (names.length === 0) {
      draft.leave(old, NOT_IN_DIRECTORIES);
      continue;
    }
    const entries = names.map((name) => [name, partsOf(old.values)] as const);
    const before = draft.valueOf('sso.authentication.static.attributes') ?? {};
    const all = entries.map(([name, values]) => {
      const others = (before as Readonly<Record<string, object>>)[name];
      return [name, { ...others, [attribute]: values }] as const;
    });
    const note = hasDirectory ? NOT_IN_DIRECTORIES : undefined;
    draft.take(old, { 'sso.authentication.static.attributes': Object.fromEntries(all) }, note);
  }
}
