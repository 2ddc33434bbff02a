// Who may use a service, and until when.
import type { ReactNode } from 'react';
import type { Definition } from '../api/answers.js';
import { copyOf } from '../ui/attributes.js';
import { Attributes, Flag, TextInput } from '../ui/fields.js';
import { fromLocal, toLocal } from '../ui/local-time.js';
import type { Fields } from './definition.js';

export function AccessFields({ definition, onChange, isReadOnly, errors }: Fields): ReactNode {
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  return (
    <>
      <Flag
        label="Enabled"
        isReadOnly={isReadOnly}
        value={definition.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <TextInput
        label="Expires"
        type="datetime-local"
        description="The time from which it counts as disabled, in your time zone; empty for never."
        isReadOnly={isReadOnly}
        error={errors.expiresAt}
        value={toLocal(definition.expiresAt)}
        onChange={(expires) => set({ expiresAt: fromLocal(expires) ?? null })}
      />
      <Flag
        label="Takes part in single sign-on (otherwise each ticket needs a new login)"
        isReadOnly={isReadOnly}
        value={definition.ssoEnabled}
        onChange={(ssoEnabled) => set({ ssoEnabled })}
      />
      <Attributes
        label="Required attributes"
        description="One name = pattern a line, in RE2 syntax. The user needs a value that matches as a whole."
        isReadOnly={isReadOnly}
        error={errors.requiredAttributes}
        value={definition.requiredAttributes}
        onChange={(requiredAttributes) => set({ requiredAttributes: copyOf(requiredAttributes) })}
      />
      <Flag
        label="All required attributes are needed (otherwise one is enough)"
        isReadOnly={isReadOnly}
        value={definition.requireAllAttributes}
        onChange={(requireAllAttributes) => set({ requireAllAttributes })}
      />
      <Attributes
        label="Rejected attributes"
        description="One name = pattern a line. A user with a value that matches as a whole is refused."
        isReadOnly={isReadOnly}
        error={errors.rejectedAttributes}
        value={definition.rejectedAttributes}
        onChange={(rejectedAttributes) => set({ rejectedAttributes: copyOf(rejectedAttributes) })}
      />
      <TextInput
        label="Refused users are sent to"
        description="A URL that asks for no login; empty for a page of this server."
        isReadOnly={isReadOnly}
        error={errors.unauthorizedRedirectUrl}
        value={definition.unauthorizedRedirectUrl ?? ''}
        onChange={(url) => set({ unauthorizedRedirectUrl: url === '' ? null : url })}
      />
    </>
  );
}
