// The fields of a service.
import type { ReactNode } from 'react';
import type { Definition } from '../api/answers.js';
import { copyOf } from '../ui/attributes.js';
import { Attributes, Choice, Flag, TextInput } from '../ui/fields.js';
import { namesIn } from './definition.js';

interface Fields {
  readonly definition: Definition;
  readonly onChange: (definition: Definition) => void;
  readonly isReadOnly: boolean;
}

export function ServiceFields({ definition, onChange, isReadOnly }: Fields): ReactNode {
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  const field = { isReadOnly };
  return (
    <>
      <TextInput
        {...field}
        label="Name"
        isRequired
        value={definition.name}
        onChange={(name) => set({ name })}
      />
      <TextInput
        {...field}
        label="Pattern"
        isRequired
        description="In RE2 syntax; it must match the whole URL, without regard to case."
        value={definition.serviceId}
        onChange={(serviceId) => set({ serviceId })}
      />
      <TextInput
        {...field}
        label="Description"
        lines={2}
        value={definition.description}
        onChange={(description) => set({ description })}
      />
      <TextInput
        {...field}
        label="Order"
        type="number"
        description="Of the services that match a URL, the one with the lowest number decides."
        value={String(definition.evaluationOrder)}
        onChange={(text) => set({ evaluationOrder: Number(text) })}
      />
      <Flag
        {...field}
        label="Enabled"
        value={definition.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <Flag
        {...field}
        label="Takes part in single sign-on (otherwise each ticket needs a new login)"
        value={definition.ssoEnabled}
        onChange={(ssoEnabled) => set({ ssoEnabled })}
      />
      <Attributes
        {...field}
        label="Required attributes"
        description="One name = value a line. The user needs one value of each name."
        value={definition.requiredAttributes}
        onChange={(requiredAttributes) => set({ requiredAttributes: copyOf(requiredAttributes) })}
      />
      <Release definition={definition} onChange={onChange} isReadOnly={isReadOnly} />
      <Proxying definition={definition} onChange={onChange} isReadOnly={isReadOnly} />
      <Logout definition={definition} onChange={onChange} isReadOnly={isReadOnly} />
    </>
  );
}

function Release({ definition, onChange, isReadOnly }: Fields): ReactNode {
  const { attributeRelease, usernameAttribute } = definition;
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  const { kind, names = [] } = attributeRelease;
  const listed = Array.isArray(names) ? names : [];
  const mapped = Array.isArray(names) ? {} : names;
  return (
    <>
      <Choice
        label="Attributes that it gets"
        value={kind}
        options={{
          none: 'none',
          all: 'all',
          allowed: 'those named',
          mapped: 'those named, renamed',
        }}
        isReadOnly={isReadOnly}
        onChange={(next) => set({ attributeRelease: releaseOf(next) })}
      />
      {kind === 'allowed' && (
        <TextInput
          key="allowed"
          label="Names"
          lines={3}
          description="One a line."
          isReadOnly={isReadOnly}
          value={listed.join('\n')}
          onChange={(text) => set({ attributeRelease: { kind, names: text.split('\n') } })}
        />
      )}
      {kind === 'mapped' && (
        <Attributes
          label="New names"
          description="One name = new name a line."
          isReadOnly={isReadOnly}
          value={mapped}
          onChange={(given) => set({ attributeRelease: { kind, names: copyOf(given) } })}
        />
      )}
      <Choice
        label="User name that it gets"
        value={usernameAttribute.kind}
        options={{
          principal: 'the name of the user',
          attribute: 'an attribute',
          anonymous: 'a pseudonym',
        }}
        isReadOnly={isReadOnly}
        onChange={(next) =>
          set({
            usernameAttribute: next === 'attribute' ? { kind: next, name: '' } : { kind: next },
          })
        }
      />
      {usernameAttribute.kind === 'attribute' && (
        <TextInput
          label="Attribute"
          isReadOnly={isReadOnly}
          value={usernameAttribute.name ?? ''}
          onChange={(name) => set({ usernameAttribute: { kind: 'attribute', name } })}
        />
      )}
    </>
  );
}

function releaseOf(kind: Definition['attributeRelease']['kind']): Definition['attributeRelease'] {
  if (kind === 'allowed') return { kind, names: [] };
  return kind === 'mapped' ? { kind, names: {} } : { kind };
}

function Proxying({ definition, onChange, isReadOnly }: Fields): ReactNode {
  const { kind, pattern = '' } = definition.proxyPolicy;
  const set = (proxyPolicy: Definition['proxyPolicy']): void =>
    onChange({ ...definition, proxyPolicy });
  return (
    <>
      <Choice
        label="Proxy tickets"
        value={kind}
        options={{ refuse: 'none', pattern: 'for callbacks that match a pattern' }}
        isReadOnly={isReadOnly}
        onChange={(next) => set(next === 'pattern' ? { kind: next, pattern: '' } : { kind: next })}
      />
      {kind === 'pattern' && (
        <TextInput
          label="Pattern of callbacks"
          isReadOnly={isReadOnly}
          value={pattern}
          onChange={(text) => set({ kind, pattern: text })}
        />
      )}
    </>
  );
}

function Logout({ definition, onChange, isReadOnly }: Fields): ReactNode {
  const { logoutType, logoutUrl } = definition;
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  return (
    <>
      <Choice
        label="Told of the end of a session"
        value={logoutType}
        options={{ none: 'not at all', back: 'by the server', front: 'by the browser' }}
        isReadOnly={isReadOnly}
        onChange={(next) => set({ logoutType: next })}
      />
      {logoutType !== 'none' && (
        <TextInput
          label="Logout URL"
          description="Empty for the URL that the user signed in to."
          isReadOnly={isReadOnly}
          value={logoutUrl ?? ''}
          onChange={(text) => set({ logoutUrl: text === '' ? null : text })}
        />
      )}
    </>
  );
}

/** Without the empty lines of an unfinished text. */
export function withoutEmptyNames(definition: Definition): Definition {
  const { attributeRelease } = definition;
  const { kind, names } = attributeRelease;
  if (kind !== 'allowed' || !Array.isArray(names)) return definition;
  return { ...definition, attributeRelease: { kind, names: namesIn(names.join('\n')) } };
}
