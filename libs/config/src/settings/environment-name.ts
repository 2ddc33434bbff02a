// Names of keys in the environment, and the variables that are not settings.

/** First segments of keys whose variables all belong to Tessera: an unknown one is an error. */
const CLAIMED_PREFIXES = ['sso', 'config-server'] as const;

/** `sso.base-url` → `SSO_BASE_URL`. */
export function environmentName(key: string): string {
  return key.toUpperCase().replace(/[.-]/g, '_');
}

/**
 * The names of a key in the environment: ours, and that of Spring Boot, which drops the hyphens after the first segment:
 * `ENCRYPT_KEY_STORE_TYPE`, `ENCRYPT_KEYSTORE_TYPE`.
 */
export function environmentNames(key: string): readonly string[] {
  const [first = '', ...rest] = key.split('.');
  const short = [first, ...rest.map((segment) => segment.replaceAll('-', ''))].join('.');
  return [...new Set([key, short].map(environmentName))];
}

/** The claimed first segment that a variable begins with, ignoring case. */
export function claimedPrefix(variable: string): string | undefined {
  const name = variable.toUpperCase();
  return CLAIMED_PREFIXES.find((prefix) => name.startsWith(`${environmentName(prefix)}_`));
}

/**
 * True for variables that Kubernetes sets for each service, such as one named `sso`: `SSO_SERVICE_HOST`,
 * `SSO_PORT_8080_TCP_ADDR`, and `SSO_PORT=tcp://10.0.0.1:80`, which looks like the setting `sso.port`.
 */
export function isKubernetesVariable(variable: string, value: string): boolean {
  return (
    /_SERVICE_(?:HOST|PORT(?:_[A-Z0-9_]+)?)$/.test(variable) ||
    /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(variable) ||
    (variable.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value))
  );
}
