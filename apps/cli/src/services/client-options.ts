// The options of `tessera client add` and `update`, and their conversion to fields of a client.
import { type Command, Option } from 'commander';
import { CLIENT_DEFAULTS, type ClientDefinition, type NewClient } from '@tessera/services';
import { CliError } from '../cli-error.js';
import { callerPath, readInputFile } from '../input.js';
import { collect, givenFields, numberOf, valueIn } from './option-values.js';

/** `--no-…` sets `false`, which resets the field to its default. */
export interface ClientOptions {
  readonly redirectUri?: readonly string[] | false;
  readonly postLogoutRedirectUri?: readonly string[] | false;
  readonly native?: boolean;
  readonly public?: boolean;
  readonly authMethod?: string | false;
  readonly grant?: readonly string[] | false;
  readonly scope?: readonly string[] | false;
  readonly pkce?: boolean;
  readonly par?: boolean;
  readonly dpop?: boolean;
  readonly idTokenAlgorithm?: string | false;
  readonly claimsInIdToken?: boolean;
  readonly consent?: string | false;
  /** The path of a file. */
  readonly jwks?: string | false;
  readonly jwksUri?: string | false;
  readonly accessTokenLifetime?: string | false;
  readonly refreshTokenLifetime?: string | false;
}

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const valueOf = valueIn(CLIENT_DEFAULTS);

/** Adds the options for the fields that only a client has. */
export function withClientOptions(command: Command): Command {
  return command
    .option('--redirect-uri <uri>', 'where its users come back to; repeat it for more', collect)
    .option(
      '--post-logout-redirect-uri <uri>',
      'where its users may go after a logout; repeat it for more',
      collect,
    )
    .option('--native', 'an application on the device of the user')
    .option('--no-native', 'an application of the web')
    .addOption(new Option('--public', 'it has no secret, and needs PKCE').conflicts('authMethod'))
    .option(
      '--auth-method <method>',
      'client_secret_basic, client_secret_post, private_key_jwt or none',
    )
    .option(
      '--grant <type>',
      'authorization_code, refresh_token, client_credentials or device_code; repeat it for more',
      collect,
    )
    .option('--scope <name>', 'a scope that it may ask for; repeat it for more', collect)
    .option('--pkce', 'its authorization requests need PKCE')
    .option('--no-pkce', 'they do not')
    .option('--par', 'its authorization requests must be pushed')
    .option('--no-par', 'they need not')
    .option('--dpop', 'its tokens are bound to a key by DPoP')
    .option('--no-dpop', 'they are not')
    .option('--id-token-algorithm <name>', 'RS256 or ES256')
    .option('--claims-in-id-token', 'the claims of its scopes are in the ID token too')
    .option('--no-claims-in-id-token', 'they are at the userinfo endpoint alone')
    .option('--consent <when>', 'whether users are asked: always, once or never')
    .option('--jwks <file>', 'its public keys, as a JWK set', callerPath)
    .option('--jwks-uri <uri>', 'where its public keys are')
    .option('--access-token-lifetime <seconds>', 'of its access tokens')
    .option('--refresh-token-lifetime <seconds>', 'of its refresh tokens');
}

/** Adds `--no-…` for each other field. */
export function withClientDefaultOptions(command: Command): Command {
  return command
    .option('--no-redirect-uri', 'no redirect URIs')
    .option('--no-post-logout-redirect-uri', 'no URIs after a logout')
    .option('--no-auth-method', 'client_secret_basic')
    .option('--no-grant', 'authorization_code and refresh_token')
    .option('--no-scope', 'openid, profile and email')
    .option('--no-id-token-algorithm', 'RS256')
    .option('--no-consent', 'users are asked as the settings say')
    .option('--no-jwks', 'no public keys')
    .option('--no-jwks-uri', 'no URI of public keys')
    .option('--no-access-token-lifetime', 'as the settings say')
    .option('--no-refresh-token-lifetime', 'as the settings say');
}

/**
 * Only the fields that the options name. The store validates the values and reports all violations at once.
 *
 * @throws CliError for a file of keys that cannot be read
 */
export async function clientFieldsOf(options: ClientOptions): Promise<NewClient> {
  const { jwks } = options;
  const keys = typeof jwks === 'string' ? await readJson(jwks) : jwks;
  const fields = {
    redirectUris: valueOf('redirectUris', options.redirectUri),
    postLogoutRedirectUris: valueOf('postLogoutRedirectUris', options.postLogoutRedirectUri),
    applicationType: valueOf('applicationType', options.native, () => 'native'),
    tokenEndpointAuthMethod: options.public
      ? 'none'
      : valueOf('tokenEndpointAuthMethod', options.authMethod),
    grantTypes: valueOf('grantTypes', options.grant, (types) =>
      types.map((type) => (type === 'device_code' ? DEVICE_CODE : type)),
    ),
    scopes: valueOf('scopes', options.scope),
    pkceRequired: options.pkce,
    parRequired: options.par,
    dpopRequired: options.dpop,
    idTokenAlgorithm: valueOf('idTokenAlgorithm', options.idTokenAlgorithm),
    claimsInIdToken: options.claimsInIdToken,
    consent: valueOf('consent', options.consent),
    jwks: valueOf('jwks', keys),
    jwksUri: valueOf('jwksUri', options.jwksUri),
    accessTokenLifetime: valueOf('accessTokenLifetime', options.accessTokenLifetime, numberOf),
    refreshTokenLifetime: valueOf('refreshTokenLifetime', options.refreshTokenLifetime, numberOf),
  } satisfies Record<Exclude<keyof ClientDefinition, 'redirectUriPatterns'>, unknown>;
  return givenFields<ClientDefinition>(fields);
}

/** @throws CliError without any part of the file, which may hold a private key */
async function readJson(path: string): Promise<unknown> {
  const bytes = await readInputFile(path);
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw new CliError(`${path} is not JSON`);
  }
}
