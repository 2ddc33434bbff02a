// The audit trail.
import { type ReactNode, useCallback, useState } from 'react';
import { getApiV1Audit } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { AuditEvent, AuditQuery } from '../api/answers.js';
import { goTo, linkTo } from '../location.js';
import { usePages } from '../loading.js';
import { Choice, TextInput } from '../ui/fields.js';
import { Badge, type Column, List, Time } from '../ui/parts.js';
import { ACTIONS, OUTCOMES } from './audit-actions.js';

const COLUMNS: readonly Column<AuditEvent>[] = [
  { title: 'Time', cell: ({ occurredAt }) => <Time value={occurredAt} /> },
  { title: 'Action', cell: ({ action }) => action },
  { title: 'Outcome', cell: (event) => <Outcome event={event} /> },
  {
    title: 'User',
    cell: ({ user }) => (user === null ? '' : <a href={linkTo(['audit'], { user })}>{user}</a>),
  },
  { title: 'Of', cell: ({ service, subject }) => service ?? subject ?? '' },
  { title: 'From', cell: ({ clientAddress }) => clientAddress ?? '' },
  { title: 'More', cell: (event) => <More event={event} /> },
];

/** @param query the filters */
export function AuditPage({ query }: { readonly query: URLSearchParams }): ReactNode {
  const filters = query.toString();
  const read = useCallback(
    (after?: string) => {
      const given: AuditQuery = Object.fromEntries(new URLSearchParams(filters));
      return answer(getApiV1Audit({ query: { ...given, ...(after !== undefined && { after }) } }));
    },
    [filters],
  );
  const pages = usePages(read);
  return (
    <>
      <h1>Audit</h1>
      <Filters key={filters} query={query} onSearch={pages.reload} />
      <List label="Events" pages={pages} columns={COLUMNS} keyOf={({ id }) => id} />
    </>
  );
}

/** @param onSearch called each time, also when the filters are the same */
function Filters({
  query,
  onSearch,
}: {
  readonly query: URLSearchParams;
  readonly onSearch: () => void;
}): ReactNode {
  const [user, setUser] = useState(query.get('user') ?? '');
  const [service, setService] = useState(query.get('service') ?? '');
  const [action, setAction] = useState(query.get('action') ?? '');
  const [outcome, setOutcome] = useState(query.get('outcome') ?? '');
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        goTo(['audit'], { user, service, action, outcome });
        onSearch();
      }}
    >
      <TextInput label="User" value={user} onChange={setUser} />
      <TextInput label="Start of the service URL" value={service} onChange={setService} />
      <Choice label="Action" value={action} options={ACTIONS} onChange={setAction} />
      <Choice label="Outcome" value={outcome} options={OUTCOMES} onChange={setOutcome} />
      <button type="submit" className="primary">
        Search
      </button>
    </form>
  );
}

function Outcome({ event: { outcome, reason } }: { readonly event: AuditEvent }): ReactNode {
  const kind = { success: 'good', failure: 'bad', unknown: 'neutral' } as const;
  return (
    <>
      <Badge kind={kind[outcome]}>{outcome}</Badge> {reason}
    </>
  );
}

function More({ event }: { readonly event: AuditEvent }): ReactNode {
  const { session, requestId, application, node, details } = event;
  return (
    <details>
      <summary aria-label={`Details of ${event.action} at ${event.occurredAt}`}>Details</summary>
      <dl className="facts">
        <dt>Program</dt>
        <dd>
          {application} at {node}
        </dd>
        <dt>Request</dt>
        <dd>{requestId ?? 'none'}</dd>
        <dt>Session</dt>
        <dd>{session ?? 'none'}</dd>
      </dl>
      {details !== null && <pre>{JSON.stringify(details, undefined, 2)}</pre>}
    </details>
  );
}
