// Fields of forms, with a label and a description each.
import { type ReactNode, useEffect, useId, useState } from 'react';
import { FieldError, Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import { readAttributes, writeAttributes } from './attributes.js';

interface FieldProps<T> {
  readonly label: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly description?: ReactNode;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  /** Why the server refuses the value. */
  readonly error?: string | undefined;
}

export function TextInput({
  label,
  description,
  lines = 1,
  type = 'text',
  error,
  ...field
}: FieldProps<string> & {
  readonly lines?: number;
  readonly type?: 'text' | 'password' | 'number' | 'url' | 'datetime-local';
}): ReactNode {
  return (
    <TextField
      className="field"
      type={type}
      isInvalid={error !== undefined}
      // The browser would refuse to send a form whose error is of the server.
      validationBehavior={error === undefined ? 'native' : 'aria'}
      {...field}
    >
      <Label>{label}</Label>
      {lines > 1 ? <TextArea rows={lines} spellCheck={false} /> : <Input spellCheck={false} />}
      {description !== undefined && <Text slot="description">{description}</Text>}
      <FieldError className="error">{error}</FieldError>
    </TextField>
  );
}

export function Flag({
  label,
  value,
  onChange,
  isReadOnly = false,
  error,
}: FieldProps<boolean>): ReactNode {
  const id = useId();
  return (
    <>
      <label className="flag">
        <input
          type="checkbox"
          checked={value}
          disabled={isReadOnly}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : id}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {error !== undefined && (
        <span id={id} className="error">
          {error}
        </span>
      )}
    </>
  );
}

/** Fields that belong together. */
export function FieldGroup({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** One of some values. */
export function Choice<T extends string>({
  label,
  value,
  onChange,
  options,
  isReadOnly = false,
  error,
}: FieldProps<T> & { readonly options: Readonly<Record<T, string>> }): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isReadOnly}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {Object.entries<string>(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <span id={`${id}-error`} className="error">
          {error}
        </span>
      )}
    </div>
  );
}

/** A list with one entry a line. Empty lines are entries, too: leave them out when it is saved. */
export function Lines({
  value,
  onChange,
  ...field
}: Omit<FieldProps<readonly string[]>, 'onChange'> & {
  readonly onChange: (value: string[]) => void;
}): ReactNode {
  return (
    <TextInput
      {...field}
      lines={3}
      value={value.join('\n')}
      onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
    />
  );
}

/** Lists of values by name, one `name = value` a line. */
export function Attributes({
  value,
  onChange,
  ...field
}: FieldProps<Readonly<Record<string, readonly string[]>>>): ReactNode {
  const [text, setText] = useState(() => writeAttributes(value));
  return (
    <TextInput
      {...field}
      lines={3}
      value={text}
      onChange={(typed) => {
        setText(typed);
        onChange(readAttributes(typed));
      }}
    />
  );
}

/** A value, when it has not changed for a moment. @param milliseconds how long */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
