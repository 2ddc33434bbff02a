// The user name and the attributes that a service gets.
import type { ReactNode } from 'react';
import type { Definition } from '../api/answers.js';
import { copyOf } from '../ui/attributes.js';
import { Attributes, Choice, Flag, TextInput } from '../ui/fields.js';
import type { Fields } from './definition.js';

export function ReleaseFields(fields: Fields): ReactNode {
  const { definition, onChange, isReadOnly, errors } = fields;
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  return (
    <>
      <ReleasedNames {...fields} />
      <Attributes
        label="Values that it gets"
        description="One name = pattern a line: other values of this attribute are left out. * stands for every attribute."
        isReadOnly={isReadOnly}
        error={errors.releasedValues}
        value={definition.releasedValues}
        onChange={(given) => set({ releasedValues: copyOf(given) })}
      />
      <Flag
        label="Gets the attributes that the settings release to every service"
        isReadOnly={isReadOnly}
        value={definition.defaultAttributes}
        onChange={(defaultAttributes) => set({ defaultAttributes })}
      />
      <Flag
        label="Gets authenticationDate and the other attributes of the protocol"
        isReadOnly={isReadOnly}
        value={definition.protocolAttributes}
        onChange={(protocolAttributes) => set({ protocolAttributes })}
      />
      <UserName {...fields} />
    </>
  );
}

function ReleasedNames({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  const { attributeRelease } = definition;
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  const { kind, names = [], excluded = [] } = attributeRelease;
  const listed = Array.isArray(names) ? names : [];
  const mapped = Array.isArray(names) ? {} : names;
  return (
    <>
      <Choice
        label="Attributes that it gets"
        error={kind === 'none' ? errors.attributeRelease : undefined}
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
      {kind === 'all' && (
        <TextInput
          key="all"
          label="But not"
          error={errors.attributeRelease}
          lines={3}
          description="Names of attributes that it does not get, one a line."
          isReadOnly={isReadOnly}
          value={excluded.join('\n')}
          onChange={(text) =>
            set({
              attributeRelease: { kind, ...(text !== '' && { excluded: text.split('\n') }) },
            })
          }
        />
      )}
      {kind === 'allowed' && (
        <TextInput
          key="allowed"
          label="Names"
          error={errors.attributeRelease}
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
          error={errors.attributeRelease}
          description="One name = new name a line."
          isReadOnly={isReadOnly}
          value={mapped}
          onChange={(given) => set({ attributeRelease: { kind, names: copyOf(given) } })}
        />
      )}
    </>
  );
}

function UserName({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  const { usernameAttribute } = definition;
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  return (
    <>
      <Choice
        label="User name that it gets"
        error={usernameAttribute.kind === 'attribute' ? undefined : errors.usernameAttribute}
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
          error={errors.usernameAttribute}
          isReadOnly={isReadOnly}
          value={usernameAttribute.name ?? ''}
          onChange={(name) => set({ usernameAttribute: { ...usernameAttribute, name } })}
        />
      )}
      {usernameAttribute.kind !== 'anonymous' && (
        <Choice
          label="Letters of the user name"
          value={usernameAttribute.letterCase ?? 'unchanged'}
          options={{ unchanged: 'as they are', lower: 'lower case', upper: 'upper case' }}
          isReadOnly={isReadOnly}
          onChange={(letterCase) => {
            const { letterCase: _before, ...username } = usernameAttribute;
            const letters = letterCase === 'unchanged' ? {} : { letterCase };
            set({ usernameAttribute: { ...username, ...letters } });
          }}
        />
      )}
    </>
  );
}

function releaseOf(kind: Definition['attributeRelease']['kind']): Definition['attributeRelease'] {
  if (kind === 'allowed') return { kind, names: [] };
  return kind === 'mapped' ? { kind, names: {} } : { kind };
}
