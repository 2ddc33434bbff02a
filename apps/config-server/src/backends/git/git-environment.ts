// Owns the environment in which git runs: nothing of the machine's or the user's configuration, no prompts, no hooks.
import { childEnvironment } from '@tessera/runtime';
import { gitTransportOf } from '../../settings/git-uri.js';
import type { GitOptions } from './git-options.js';

/** What git and the programs it starts may know of our own environment. */
const KEPT = [
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
  // Several processes may fetch into one clone: they wait for each other's locks, in milliseconds.
  'core.filesRefLockTimeout': '2000',
  'core.packedRefsTimeout': '2000',
  // Packs are on the disk before they are named; single objects are not.
  'fetch.unpackLimit': '1',
  'gc.autoDetach': 'false',
  'init.defaultBranch': 'main',
};

/** Speaks to git as its helpers do; the values come by the environment, and are seen on no argument list. */
const CREDENTIAL_HELPER = String.raw`!f() { test "$1" = get && printf 'username=%s\npassword=%s\n' "$TESSERA_GIT_USERNAME" "$TESSERA_GIT_PASSWORD"; }; f`;

/**
 * For commands that stay on this machine.
 * @param home where git looks for files of its user; ours holds none
 */
export function localEnvironment(home: string): NodeJS.ProcessEnv {
  const ours = childEnvironment({});
  const kept = KEPT.flatMap((name) => (ours[name] === undefined ? [] : [[name, ours[name]]]));
  return {
    ...(Object.fromEntries(kept) as NodeJS.ProcessEnv),
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

/** For commands that talk to the repository, as the remote `origin`; over its own transport and no other. */
export function remoteEnvironment(home: string, { uri, access }: GitOptions): NodeJS.ProcessEnv {
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
    ...configuration({
      ...CONFIGURATION,
      'remote.origin.url': uri,
      // Helpers that were named before are forgotten.
      'credential.helper': '',
      // A redirection to another host is followed without them.
      ...(credentials && { [`credential.${new URL(uri).origin}.helper`]: CREDENTIAL_HELPER }),
    }),
  };
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

/** A shell reads it: the paths in it need no quoting, which is checked where they are set. */
function sshCommand({ privateKeyFile, knownHostsFile }: GitOptions['access']): string {
  return [
    'ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=yes',
    ...(knownHostsFile === '' ? [] : [`-o UserKnownHostsFile=${knownHostsFile}`]),
    ...(privateKeyFile === '' ? [] : [`-o IdentitiesOnly=yes -i ${privateKeyFile}`]),
  ].join(' ');
}
