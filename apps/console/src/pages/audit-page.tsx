// The audit trail. Its filters are in the address, so that a search can be linked.
import { Fragment, type ReactNode, useCallback } from 'react';
import { getApiV1Audit } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { AuditEvent, AuditQuery } from '../api/answers.js';
import { linkTo } from '../location.js';
import { usePages } from '../loading.js';
import { Badge, type Column, Facts, List, Time } from '../ui/parts.js';
import { AuditFilters } from './audit-filters.js';
import { startOf } from './audit-period.js';

const COLUMNS: readonly Column<AuditEvent>[] = [
  { title: 'Time', cell: ({ occurredAt }) => <Time value={occurredAt} /> },
  { title: 'Action', isWhole: true, cell: ({ action }) => <Breakable name={action} /> },
  { title: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    title: 'User',
    cell: ({ user }) => (user === null ? '–' : <a href={linkTo(['users', user])}>{user}</a>),
  },
  { title: 'Service or subject', cell: (event) => <Target event={event} /> },
  { title: 'From', cell: ({ clientAddress }) => clientAddress ?? '–' },
];

/** The subject of these is the name of a user, or the id of a service. */
const PAGES: Readonly<Record<string, string>> = {
  END_SESSIONS: 'users',
  ADD_USER: 'users',
  CHANGE_USER: 'users',
  REGISTER_SERVICE: 'services',
  CHANGE_SERVICE: 'services',
  ADD_CLIENT_SECRET: 'services',
  REMOVE_CLIENT_SECRET: 'services',
};

/** @param query the filters */
export function AuditPage({ query }: { readonly query: URLSearchParams }): ReactNode {
  const filters = query.toString();
  const read = useCallback(
    (after?: string) => {
      const { last = '', ...given } = Object.fromEntries(new URLSearchParams(filters));
      const since = startOf(last, new Date());
      const search: AuditQuery = { ...given, ...(since !== undefined && { since }) };
      return answer(getApiV1Audit({ query: { ...search, ...(after !== undefined && { after }) } }));
    },
    [filters],
  );
  const pages = usePages(read);
  return (
    <>
      <h1>Audit</h1>
      <AuditFilters query={query} onSearch={pages.reload} />
      <List
        label="Events"
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        details={(event) => <Details event={event} />}
        empty={<NoEvents isFiltered={filters !== ''} />}
      />
    </>
  );
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (!isFiltered) return <p>There are no events yet.</p>;
  return (
    <>
      <p>No event matches these filters.</p>
      <a href={linkTo(['audit'])}>Show all events</a>
    </>
  );
}

/** `VALIDATE_TICKET`, which may break after an underscore. */
function Breakable({ name }: { readonly name: string }): ReactNode {
  return name.split(/(?<=_)/).map((part, at) => (
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ));
}

const KINDS = { success: 'good', failure: 'bad', unknown: 'neutral' } as const;

function Outcome({ outcome }: Pick<AuditEvent, 'outcome'>): ReactNode {
  return <Badge kind={KINDS[outcome]}>{outcome}</Badge>;
}

function Target({
  event: { action, service, subject },
}: {
  readonly event: AuditEvent;
}): ReactNode {
  if (service !== null) return <a href={linkTo(['services', 'of'], { url: service })}>{service}</a>;
  const page = PAGES[action];
  if (subject === null || page === undefined) return subject ?? '–';
  return <a href={linkTo([page, subject])}>{subject}</a>;
}

function Details({ event }: { readonly event: AuditEvent }): ReactNode {
  const { occurredAt, reason, user, subject, service, session, requestId, details } = event;
  return (
    <>
      <Facts
        facts={[
          ['Time', occurredAt],
          ['Reason', reason && <code>{reason}</code>],
          ['Subject', service === null ? null : subject],
          ['Session', session && <code>{session}</code>],
          ['Program', event.application],
          ['Node', event.node],
          ['Request id', requestId && <code>{requestId}</code>],
          ['Event id', event.id],
        ]}
      />
      {details !== null && (
        <pre aria-label="Details" role="region" tabIndex={0}>
          {JSON.stringify(details, undefined, 2)}
        </pre>
      )}
      {user !== null && <a href={linkTo(['audit'], { user })}>All events of {user}</a>}
    </>
  );
}
