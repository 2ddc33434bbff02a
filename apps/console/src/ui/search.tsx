// A field whose text a list is filtered by.
import type { ReactNode } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';

export function Search({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <SearchField className="field search" value={value} onChange={onChange}>
      <Label>{label}</Label>
      <Input />
    </SearchField>
  );
}
