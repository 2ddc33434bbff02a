// The environment of the program git: without the configuration of the machine and the user, without prompts and hooks.
import { childEnvironment } from '@tessera/runtime';
import type { GitProxy } from '../../settings/git-proxy.js';
import type { GitOptions } from '../../settings/git-settings.js';
import { gitTransportOf } from '../../settings/git-uri.js';

/** Variables that git and the programs it starts inherit. */
const INHERITED_VARIABLES = [
  'PATH',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'http_proxy',
  'https_proxy',
  'HTTPS_PROXY',
  'all_proxy',
  'ALL_PROXY',
  'no_proxy',
  'NO_PROXY',
] as const;

const CONFIGURATION = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  // Git flushes packs to the disk before it renames them, but not loose objects.
  'fetch.unpackLimit': '1',
  'gc.autoDetach': 'false',
  'init.defaultBranch': 'main',
};

/** A credential helper. The values come from the environment, so that no argument list shows them. */
const CREDENTIAL_HELPER = String.raw`!f() { test "$1" = get && printf 'username=%s\npassword=%s\n' "$TESSERA_GIT_USERNAME" "$TESSERA_GIT_PASSWORD"; }; f`;

/**
 * For commands without network access.
 * @param home where git looks for files of its user; the clone holds none
 */
export function localEnvironment(home: string): NodeJS.ProcessEnv {
  const environment = childEnvironment({});
  const inherited = INHERITED_VARIABLES.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  return {
    ...(Object.fromEntries(inherited) as NodeJS.ProcessEnv),
    HOME: home,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...configuration(CONFIGURATION),
  };
}

/** For commands that connect to the repository, as the remote `origin`, over the transport of its URI alone. */
export function remoteEnvironment(
  home: string,
  { uri, access, proxy }: GitOptions,
): NodeJS.ProcessEnv {
  const transport = gitTransportOf(uri);
  const { credentials } = access;
  return {
    ...localEnvironment(home),
    GIT_ALLOW_PROTOCOL: transport ?? 'none',
    ...(transport === 'ssh' && { GIT_SSH_COMMAND: sshCommand(access), GIT_SSH_VARIANT: 'ssh' }),
    ...(credentials && {
      TESSERA_GIT_USERNAME: credentials.username,
      TESSERA_GIT_PASSWORD: credentials.password.reveal(),
    }),
    ...(proxy && { no_proxy: proxy.exceptions.join(','), NO_PROXY: undefined }),
    ...configuration({
      ...CONFIGURATION,
      'remote.origin.url': uri,
      // An empty value removes the helpers of other configuration.
      'credential.helper': '',
      // Limited to the origin: git follows a redirection to another host without credentials.
      ...(credentials && { [`credential.${new URL(uri).origin}.helper`]: CREDENTIAL_HELPER }),
      ...(proxy && { 'http.proxy': addressOf(proxy) }),
    }),
  };
}

/** With the credentials. The environment of a process is readable by its user alone. */
function addressOf({ uri, credentials }: GitProxy): string {
  if (credentials === undefined) return uri;
  const parts = [credentials.username, credentials.password.reveal()].map(encodeURIComponent);
  // A URL object would drop port 80, and git's default port of a proxy is another.
  return uri.replace('://', `://${parts.join(':')}@`);
}

/** @see git-config(1), GIT_CONFIG_COUNT */
function configuration(values: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const entries = Object.entries(values);
  const pairs = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...(Object.fromEntries(pairs) as object) };
}

/** A shell parses the command. The settings allow only paths that need no quotes. */
function sshCommand({ privateKeyFile, knownHostsFile }: GitOptions['access']): string {
  return [
    'ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=yes',
    ...(knownHostsFile === '' ? [] : [`-o UserKnownHostsFile=${knownHostsFile}`]),
    ...(privateKeyFile === '' ? [] : [`-o IdentitiesOnly=yes -i ${privateKeyFile}`]),
  ].join(' ');
}
