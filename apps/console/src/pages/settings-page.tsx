// All settings, and where their values come from.
import { type ReactNode, useCallback, useState } from 'react';
import { getApiV1Settings } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { Setting } from '../api/answers.js';
import { useLoaded } from '../loading.js';
import { Flag } from '../ui/fields.js';
import { Badge, type Column, List, onePage } from '../ui/parts.js';
import { Search } from '../ui/search.js';

const COLUMNS: readonly Column<Setting>[] = [
  { title: 'Key', cell: ({ key }) => <code>{key}</code> },
  {
    title: 'Value',
    cell: ({ value, restartNeeded }) => (
      <>
        {value === '' ? 'none' : <code>{value}</code>}{' '}
        {restartNeeded && <Badge kind="neutral">restart needed</Badge>}
      </>
    ),
  },
  { title: 'From', cell: ({ origin }) => origin },
];

export function SettingsPage(): ReactNode {
  const [text, setText] = useState('');
  const [isGivenOnly, setGivenOnly] = useState(false);
  const loaded = useLoaded(useCallback(async () => (await answer(getApiV1Settings())).items, []));
  const shown = loaded.data?.filter(
    ({ key, value, origin, restartNeeded }) =>
      (!isGivenOnly || origin !== 'default' || restartNeeded) &&
      [key, value, origin].some((each) => each.toLowerCase().includes(text.toLowerCase())),
  );
  const waiting = loaded.data?.filter(({ restartNeeded }) => restartNeeded) ?? [];
  return (
    <>
      <h1>Settings</h1>
      <p>Secrets are masked. To change a setting, change where it comes from.</p>
      {waiting.length > 0 && (
        <p role="status">
          Changes that count after a restart: {waiting.map(({ key }) => key).join(', ')}.
        </p>
      )}
      <Search label="Key, value or origin" value={text} onChange={setText} />
      <Flag label="Without defaults" value={isGivenOnly} onChange={setGivenOnly} />
      <List
        label="Settings"
        pages={onePage({ ...loaded, data: shown })}
        columns={COLUMNS}
        keyOf={({ key }) => key}
      />
    </>
  );
}
