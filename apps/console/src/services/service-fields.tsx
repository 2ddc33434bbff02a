// The fields of a service.
import type { ReactNode } from 'react';
import type { Definition } from '../api/answers.js';
import { Attributes, Choice, FieldGroup, TextInput } from '../ui/fields.js';
import { AccessFields } from './access-fields.js';
import { ClientFields } from './client-fields.js';
import type { Fields } from './definition.js';
import { ReleaseFields } from './release-fields.js';
import { secondsIn, secondsOf } from './seconds.js';

export function ServiceFields(fields: Fields): ReactNode {
  return (
    <>
      <FieldGroup title="Service">
        <Identity {...fields} />
      </FieldGroup>
      <FieldGroup title="Matching">
        <Matching {...fields} />
      </FieldGroup>
      <FieldGroup title="OpenID Connect">
        <ClientFields {...fields} />
      </FieldGroup>
      <FieldGroup title="Access">
        <AccessFields {...fields} />
      </FieldGroup>
      <FieldGroup title="Attributes and user name">
        <ReleaseFields {...fields} />
      </FieldGroup>
      <FieldGroup title="Proxying">
        <Proxying {...fields} />
      </FieldGroup>
      <FieldGroup title="Tickets">
        <Tickets {...fields} />
      </FieldGroup>
      <FieldGroup title="Logout">
        <Logout {...fields} />
      </FieldGroup>
      <FieldGroup title="Properties">
        <Properties {...fields} />
      </FieldGroup>
    </>
  );
}

function Identity({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  return (
    <>
      <TextInput
        label="Name"
        isRequired
        isReadOnly={isReadOnly}
        error={errors.name}
        value={definition.name}
        onChange={(name) => onChange({ ...definition, name })}
      />
      <TextInput
        label="Description"
        lines={2}
        isReadOnly={isReadOnly}
        error={errors.description}
        value={definition.description}
        onChange={(description) => onChange({ ...definition, description })}
      />
    </>
  );
}

function Matching({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  return (
    <>
      <TextInput
        label="Pattern"
        isRequired={definition.client === null}
        isReadOnly={isReadOnly}
        error={errors.serviceId}
        description="Of the URLs that get tickets, in RE2 syntax; it must match the whole URL, without regard to case."
        value={definition.serviceId ?? ''}
        onChange={(text) => onChange({ ...definition, serviceId: text === '' ? null : text })}
      />
      <TextInput
        label="Order"
        type="number"
        isReadOnly={isReadOnly}
        error={errors.evaluationOrder}
        description="Of the services that match a URL, the one with the lowest number decides."
        value={String(definition.evaluationOrder)}
        onChange={(text) => onChange({ ...definition, evaluationOrder: Number(text) })}
      />
    </>
  );
}

function Proxying({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  const { kind, pattern = '' } = definition.proxyPolicy;
  const set = (proxyPolicy: Definition['proxyPolicy']): void =>
    onChange({ ...definition, proxyPolicy });
  return (
    <>
      <Choice
        label="Proxy tickets"
        error={kind === 'refuse' ? errors.proxyPolicy : undefined}
        value={kind}
        options={{ refuse: 'none', pattern: 'for callbacks that match a pattern' }}
        isReadOnly={isReadOnly}
        onChange={(next) => set(next === 'pattern' ? { kind: next, pattern: '' } : { kind: next })}
      />
      {kind === 'pattern' && (
        <TextInput
          label="Pattern of callbacks"
          error={errors.proxyPolicy}
          isReadOnly={isReadOnly}
          value={pattern}
          onChange={(text) => set({ kind, pattern: text })}
        />
      )}
    </>
  );
}

function Tickets({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  const { serviceTicketLifetime, proxyTicketLifetime } = definition;
  const description = 'In seconds, at most that of the settings; empty for that of the settings.';
  return (
    <>
      <Choice
        label="The browser brings the ticket"
        error={errors.responseType}
        value={definition.responseType}
        options={{ redirect: 'by a redirect', post: 'in a form' }}
        isReadOnly={isReadOnly}
        onChange={(responseType) => onChange({ ...definition, responseType })}
      />
      <TextInput
        label="Lifetime of service tickets"
        type="number"
        description={description}
        isReadOnly={isReadOnly}
        error={errors.serviceTicketLifetime}
        value={secondsIn(serviceTicketLifetime)}
        onChange={(text) => onChange({ ...definition, serviceTicketLifetime: secondsOf(text) })}
      />
      <TextInput
        label="Lifetime of proxy tickets"
        type="number"
        description={description}
        isReadOnly={isReadOnly}
        error={errors.proxyTicketLifetime}
        value={secondsIn(proxyTicketLifetime)}
        onChange={(text) => onChange({ ...definition, proxyTicketLifetime: secondsOf(text) })}
      />
    </>
  );
}

function Logout({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  const { logoutType, logoutUrl } = definition;
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  return (
    <>
      <Choice
        label="Logout messages"
        error={errors.logoutType ?? (logoutType === 'none' ? errors.logoutUrl : undefined)}
        value={logoutType}
        options={{ none: 'none', back: 'by the server', front: 'by the browser' }}
        isReadOnly={isReadOnly}
        onChange={(next) => set({ logoutType: next })}
      />
      {logoutType !== 'none' && (
        <TextInput
          label="Logout URL"
          error={errors.logoutUrl}
          description={`${withoutLogoutUrl(definition)} Several are separated by commas.`}
          isReadOnly={isReadOnly}
          value={logoutUrl ?? ''}
          onChange={(text) => set({ logoutUrl: text === '' ? null : text })}
        />
      )}
    </>
  );
}

function withoutLogoutUrl({ serviceId, clientId }: Definition): string {
  if (clientId === null) return 'Empty for the URL that the user signed in to.';
  const ofClient = 'Without one, the OpenID Connect client gets no messages.';
  return serviceId === null ? ofClient : `${ofClient} Those of CAS go to the URL of the sign-in.`;
}

function Properties({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  const lists = Object.entries(definition.properties).map(([name, value]): [string, string[]] => [
    name,
    [value],
  ]);
  return (
    <Attributes
      label="Names and values"
      error={errors.properties}
      description="One name = value a line. logo: the https URL of an image for the login page. dialect: documented, or apereo."
      isReadOnly={isReadOnly}
      value={Object.fromEntries(lists)}
      onChange={(given) => {
        const properties = Object.entries(given).map(([name, values]): [string, string] => [
          name,
          values.join(','),
        ]);
        onChange({ ...definition, properties: Object.fromEntries(properties) });
      }}
    />
  );
}
