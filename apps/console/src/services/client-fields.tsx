// The fields of a client of OpenID Connect.
import { type ReactNode, useState } from 'react';
import type { Client } from '../api/answers.js';
import { Choice, Flag, Lines, TextInput } from '../ui/fields.js';
import { type Fields, NEW_CLIENT } from './definition.js';
import { secondsIn, secondsOf } from './seconds.js';

export function ClientFields(fields: Fields): ReactNode {
  const { definition, onChange, isReadOnly, errors } = fields;
  const { client, clientId } = definition;
  return (
    <>
      <Flag
        label="A client of OpenID Connect"
        isReadOnly={isReadOnly}
        value={client !== null}
        onChange={(isClient) =>
          onChange({
            ...definition,
            clientId: isClient ? '' : null,
            client: isClient ? NEW_CLIENT : null,
            // Its scopes limit what it gets.
            ...(isClient && definition.serviceId === null && { attributeRelease: { kind: 'all' } }),
          })
        }
      />
      {client !== null && (
        <>
          <TextInput
            label="Client id"
            isRequired
            isReadOnly={isReadOnly}
            error={errors.clientId}
            description="The application sends it. No other service has it."
            value={clientId ?? ''}
            onChange={(text) => onChange({ ...definition, clientId: text })}
          />
          <FieldsOfClient
            client={client}
            errors={errors}
            isReadOnly={isReadOnly}
            set={(change) => onChange({ ...definition, client: { ...client, ...change } })}
          />
        </>
      )}
    </>
  );
}

interface ClientPart {
  readonly client: Client;
  readonly set: (change: Partial<Client>) => void;
  readonly isReadOnly: boolean;
  readonly errors: Fields['errors'];
}

function FieldsOfClient(part: ClientPart): ReactNode {
  return (
    <>
      <Addresses {...part} />
      <Authentication {...part} />
      <Rights {...part} />
      <Tokens {...part} />
    </>
  );
}

function Addresses({ client, set, isReadOnly, errors }: ClientPart): ReactNode {
  return (
    <>
      <Choice
        label="Kind of application"
        value={client.applicationType}
        options={{ web: 'of the web', native: 'on the device of the user' }}
        error={errors['client.applicationType']}
        isReadOnly={isReadOnly}
        onChange={(applicationType) => set({ applicationType })}
      />
      <Lines
        label="Redirect URIs"
        description="One a line, compared whole: https, or http on localhost."
        error={errors['client.redirectUris']}
        isReadOnly={isReadOnly}
        value={client.redirectUris}
        onChange={(redirectUris) => set({ redirectUris })}
      />
      {client.redirectUriPatterns.length > 0 && (
        <Lines
          label="Patterns of redirect URIs"
          description="Of an import: write URIs in their place."
          error={errors['client.redirectUriPatterns']}
          isReadOnly={isReadOnly}
          value={client.redirectUriPatterns}
          onChange={(redirectUriPatterns) => set({ redirectUriPatterns })}
        />
      )}
      <Lines
        label="Redirect URIs after a logout"
        description="One a line."
        error={errors['client.postLogoutRedirectUris']}
        isReadOnly={isReadOnly}
        value={client.postLogoutRedirectUris}
        onChange={(postLogoutRedirectUris) => set({ postLogoutRedirectUris })}
      />
    </>
  );
}

function Authentication({ client, set, isReadOnly, errors }: ClientPart): ReactNode {
  const { tokenEndpointAuthMethod: method } = client;
  return (
    <>
      <Choice
        label="Proves who it is by"
        value={method}
        options={{
          client_secret_basic: 'a secret, in a header',
          client_secret_post: 'a secret, in the body',
          private_key_jwt: 'a signature',
          none: 'nothing: a public client',
        }}
        error={errors['client.tokenEndpointAuthMethod']}
        isReadOnly={isReadOnly}
        onChange={(tokenEndpointAuthMethod) => set({ tokenEndpointAuthMethod })}
      />
      <Keys
        error={errors['client.jwks']}
        isReadOnly={isReadOnly}
        value={client.jwks}
        onChange={(jwks) => set({ jwks })}
      />
      <TextInput
        label="URI of its public keys"
        error={errors['client.jwksUri']}
        isReadOnly={isReadOnly}
        value={client.jwksUri ?? ''}
        onChange={(text) => set({ jwksUri: text === '' ? null : text })}
      />
      <Flag
        label="Needs PKCE, as a public client always does"
        isReadOnly={isReadOnly}
        error={errors['client.pkceRequired']}
        value={client.pkceRequired}
        onChange={(pkceRequired) => set({ pkceRequired })}
      />
      <Flag
        label="Authorization requests must be pushed (PAR)"
        isReadOnly={isReadOnly}
        value={client.parRequired}
        onChange={(parRequired) => set({ parRequired })}
      />
      <Flag
        label="Tokens are bound to a key (DPoP)"
        isReadOnly={isReadOnly}
        value={client.dpopRequired}
        onChange={(dpopRequired) => set({ dpopRequired })}
      />
    </>
  );
}

const GRANTS: readonly (readonly [Client['grantTypes'][number], string])[] = [
  ['authorization_code', 'Users sign in (authorization code)'],
  ['refresh_token', 'Refresh tokens'],
  ['client_credentials', 'Tokens of its own (client credentials)'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'Users sign in on another device (device code)'],
];

function Rights({ client, set, isReadOnly, errors }: ClientPart): ReactNode {
  const { grantTypes } = client;
  return (
    <>
      {GRANTS.map(([type, label], at) => (
        <Flag
          key={type}
          label={label}
          isReadOnly={isReadOnly}
          error={at === 0 ? errors['client.grantTypes'] : undefined}
          value={grantTypes.includes(type)}
          onChange={(isGranted) => {
            const others = grantTypes.filter((each) => each !== type);
            set({ grantTypes: isGranted ? [...others, type] : others });
          }}
        />
      ))}
      <Lines
        label="Scopes"
        description="One a line: what it may ask for."
        error={errors['client.scopes']}
        isReadOnly={isReadOnly}
        value={client.scopes}
        onChange={(scopes) => set({ scopes })}
      />
      <Choice
        label="Users are asked to agree"
        value={client.consent ?? 'default'}
        options={{ default: 'as the settings say', always: 'always', once: 'once', never: 'never' }}
        error={errors['client.consent']}
        isReadOnly={isReadOnly}
        onChange={(consent) => set({ consent: consent === 'default' ? null : consent })}
      />
    </>
  );
}

function Tokens({ client, set, isReadOnly, errors }: ClientPart): ReactNode {
  const description = 'In seconds; empty for that of the settings.';
  return (
    <>
      <Choice
        label="Signature of ID tokens"
        value={client.idTokenAlgorithm}
        options={{ RS256: 'RS256', ES256: 'ES256' }}
        error={errors['client.idTokenAlgorithm']}
        isReadOnly={isReadOnly}
        onChange={(idTokenAlgorithm) => set({ idTokenAlgorithm })}
      />
      <Flag
        label="The claims of its scopes are in the ID token too"
        isReadOnly={isReadOnly}
        value={client.claimsInIdToken}
        onChange={(claimsInIdToken) => set({ claimsInIdToken })}
      />
      <TextInput
        label="Lifetime of access tokens"
        type="number"
        description={description}
        error={errors['client.accessTokenLifetime']}
        isReadOnly={isReadOnly}
        value={secondsIn(client.accessTokenLifetime)}
        onChange={(text) => set({ accessTokenLifetime: secondsOf(text) })}
      />
      <TextInput
        label="Lifetime of refresh tokens"
        type="number"
        description={description}
        error={errors['client.refreshTokenLifetime']}
        isReadOnly={isReadOnly}
        value={secondsIn(client.refreshTokenLifetime)}
        onChange={(text) => set({ refreshTokenLifetime: secondsOf(text) })}
      />
    </>
  );
}

/** A JWK set as JSON. The server refuses a text that is none. */
function Keys({
  value,
  onChange,
  ...field
}: {
  readonly value: Client['jwks'];
  readonly onChange: (jwks: Client['jwks']) => void;
  readonly isReadOnly: boolean;
  readonly error: string | undefined;
}): ReactNode {
  const [text, setText] = useState(() => (value === null ? '' : JSON.stringify(value, null, 1)));
  return (
    <TextInput
      {...field}
      label="Its public keys"
      description="A JWK set, for a client that signs."
      lines={3}
      value={text}
      onChange={(typed) => {
        setText(typed);
        onChange(typed.trim() === '' ? null : (parsed(typed) as Client['jwks']));
      }}
    />
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
