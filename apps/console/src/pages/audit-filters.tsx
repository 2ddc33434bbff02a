// The filters of the audit trail.
import { type ReactNode, useEffect, useState } from 'react';
import { goTo } from '../location.js';
import { Choice, TextInput } from '../ui/fields.js';
import { fromLocal, toLocal } from '../ui/local-time.js';
import { ACTIONS, OUTCOMES } from './audit-actions.js';
import { PERIODS } from './audit-period.js';

type Filters = Readonly<Record<'user' | 'service' | 'action' | 'outcome' | 'period', string>> & {
  /** As in the fields. */
  readonly since: string;
  readonly until: string;
};

/** @param query the filters of the address @param onSearch called each time, also when the filters are the same */
export function AuditFilters({
  query,
  onSearch,
}: {
  readonly query: URLSearchParams;
  readonly onSearch: () => void;
}): ReactNode {
  const address = query.toString();
  const [filters, setFilters] = useState(() => readFilters(address));
  // Another link to this page was followed.
  useEffect(() => setFilters(readFilters(address)), [address]);
  const field = (name: keyof Filters) => ({
    value: filters[name],
    onChange: (value: string) => setFilters({ ...filters, [name]: value }),
  });
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        goTo(['audit'], toQuery(filters));
        onSearch();
      }}
    >
      <Choice label="Time" options={PERIODS} {...field('period')} />
      {filters.period === 'between' && (
        <>
          <TextInput label="From" type="datetime-local" {...field('since')} />
          <TextInput label="To" type="datetime-local" {...field('until')} />
        </>
      )}
      <Choice label="Action" options={ACTIONS} {...field('action')} />
      <Choice label="Outcome" options={OUTCOMES} {...field('outcome')} />
      <TextInput label="User" {...field('user')} />
      <TextInput label="Start of service URL" {...field('service')} />
      <button type="submit" className="primary">
        Search
      </button>
    </form>
  );
}

function readFilters(address: string): Filters {
  const query = new URLSearchParams(address);
  const textOf = (name: string): string => query.get(name) ?? '';
  const hasTimes = query.has('since') || query.has('until');
  return {
    user: textOf('user'),
    service: textOf('service'),
    action: textOf('action'),
    outcome: textOf('outcome'),
    period: hasTimes ? 'between' : textOf('last'),
    since: toLocal(query.get('since')),
    until: toLocal(query.get('until')),
  };
}

function toQuery({ period, since, until, ...others }: Filters) {
  if (period !== 'between') return { ...others, last: period };
  return { ...others, since: fromLocal(since), until: fromLocal(until) };
}
