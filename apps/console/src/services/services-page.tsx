// The registered services.
import { type ReactNode, useCallback, useState } from 'react';
import { useMayChange } from '../access.js';
import { getApiV1Services } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { Service } from '../api/answers.js';
import { linkTo } from '../location.js';
import { usePages } from '../loading.js';
import { useSettled } from '../ui/fields.js';
import { Badge, type Column, List } from '../ui/parts.js';
import { Search } from '../ui/search.js';

const COLUMNS: readonly Column<Service>[] = [
  { title: 'Order', isWhole: true, cell: ({ evaluationOrder }) => evaluationOrder },
  { title: 'Name', cell: ({ id, name }) => <a href={linkTo(['services', id])}>{name}</a> },
  {
    title: 'Pattern or client',
    cell: ({ serviceId, clientId }) => <code>{serviceId ?? clientId}</code>,
  },
  {
    title: 'State',
    cell: (service) => {
      const state = stateOf(service);
      return <Badge kind={state === 'enabled' ? 'good' : 'bad'}>{state}</Badge>;
    },
  },
];

function stateOf({ enabled, expiresAt }: Service): string {
  if (!enabled) return 'disabled';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'enabled';
}

export function ServicesPage(): ReactNode {
  const mayChange = useMayChange();
  const [text, setText] = useState('');
  const searched = useSettled(text, 250);
  const read = useCallback(
    (after?: string) =>
      answer(
        getApiV1Services({ query: { text: searched, ...(after !== undefined && { after }) } }),
      ),
    [searched],
  );
  const pages = usePages(read);
  return (
    <>
      <div className="title">
        <h1>Services</h1>
        {mayChange && (
          <a className="button" href={linkTo(['services', 'new'])}>
            Register a service
          </a>
        )}
      </div>
      <Search label="Name, pattern, client or id" value={text} onChange={setText} />
      <List label="Services" pages={pages} columns={COLUMNS} keyOf={({ id }) => id} />
    </>
  );
}
