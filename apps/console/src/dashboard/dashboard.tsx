// The current state: logins, tickets, refusals and times, read again every few seconds.
import { type ReactNode, useCallback, useContext } from 'react';
import { getApiV1Health, getApiV1LogoutMessages } from '../api/generated/sdk.gen.js';
import type { Health } from '../api/answers.js';
import { answer } from '../api/problem.js';
import { linkTo } from '../location.js';
import { type Loaded, useLoaded } from '../loading.js';
import { Badge, ProblemNote } from '../ui/parts.js';
import { type Line, LineChart } from './line-chart.js';
import { sum } from './metrics-text.js';
import { perMinute, quantileOf, type Reading } from './rates.js';
import { INTERVAL_MS, READINGS, ReadingsContext } from './readings.js';

const SPAN = `${(READINGS * INTERVAL_MS) / 60_000} min`;
const REQUESTS = 'tessera_http_request_duration_seconds';

export function Dashboard(): ReactNode {
  const { readings, problem } = useContext(ReadingsContext);
  return (
    <>
      <h1>Dashboard</h1>
      <ProblemNote problem={problem} />
      <State last={problem === undefined ? readings.at(-1) : undefined} />
      <div className="charts">
        <LineChart
          title="Logins a minute"
          lines={[
            rateLine(readings, 'accepted', 'tessera_logins_total', { outcome: 'accepted' }),
            rateLine(readings, 'refused', 'tessera_logins_total', { outcome: 'refused' }),
            rateLine(readings, 'throttled', 'tessera_logins_total', { outcome: 'throttled' }),
          ]}
          readings={READINGS}
          span={SPAN}
          format={rounded}
        />
        <LineChart
          title="Tickets a minute"
          lines={[
            rateLine(readings, 'granted', 'tessera_tickets_granted_total'),
            rateLine(readings, 'validated', 'tessera_tickets_validated_total'),
          ]}
          readings={READINGS}
          span={SPAN}
          format={rounded}
        />
        <LineChart
          title="Refused tickets a minute"
          lines={[
            rateLine(readings, 'not granted', 'tessera_tickets_refused_total', {
              operation: 'grant',
            }),
            rateLine(readings, 'not validated', 'tessera_tickets_refused_total', {
              operation: 'validate',
            }),
          ]}
          readings={READINGS}
          span={SPAN}
          format={rounded}
        />
        <LineChart
          title="Time of requests"
          lines={[timeLine(readings, 'median', 0.5), timeLine(readings, '95 of 100 below', 0.95)]}
          readings={READINGS}
          span={SPAN}
          format={(seconds) => `${rounded(seconds * 1_000)} ms`}
        />
      </div>
    </>
  );
}

function State({ last }: { readonly last: Reading | undefined }): ReactNode {
  const health = useLoaded(
    useCallback(() => answer(getApiV1Health()), []),
    INTERVAL_MS,
  );
  const messages = useLoaded(
    useCallback(() => answer(getApiV1LogoutMessages({ query: { limit: 1 } })), []),
    INTERVAL_MS,
  );
  return (
    <dl className="tiles">
      <Tile title="Database">
        <DatabaseBadge {...health} />
      </Tile>
      <Tile title="Registered services">
        {last && <a href={linkTo(['services'])}>{sum(last.samples, 'tessera_services')}</a>}
      </Tile>
      <Tile title="Database connections in use">
        {last && sum(last.samples, 'tessera_database_connections', { state: 'used' })}
      </Tile>
      <Tile title="Logout messages">
        {messages.data && messages.problem === undefined && (
          <a
            href={linkTo(
              ['logout-messages'],
              messages.data.failed === 0 ? { state: 'waiting' } : {},
            )}
          >
            {messages.data.pending} waiting, {messages.data.failed} failed
          </a>
        )}
      </Tile>
    </dl>
  );
}

/** What was known before a failed reading says nothing of now. */
function DatabaseBadge({ data, problem }: Loaded<Health>): ReactNode {
  if (problem !== undefined) return <Badge kind="bad">unknown</Badge>;
  if (data === undefined) return '–';
  return data.status === 'ok' ? <Badge kind="good">up</Badge> : <Badge kind="bad">down</Badge>;
}

function Tile({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children || '–'}</dd>
    </div>
  );
}

function rateLine(
  readings: readonly Reading[],
  name: string,
  metric: string,
  labels?: Readonly<Record<string, string>>,
): Line {
  return { name, values: between(readings, (from, to) => perMinute(from, to, metric, labels)) };
}

function timeLine(readings: readonly Reading[], name: string, quantile: number): Line {
  return {
    name,
    values: between(readings, (from, to) => quantileOf(from, to, REQUESTS, quantile)),
  };
}

function between<T>(
  readings: readonly Reading[],
  valueOf: (from: Reading, to: Reading) => T,
): readonly T[] {
  return readings.slice(1).map((to, at) => valueOf(readings[at] as Reading, to));
}

function rounded(value: number): string {
  return value < 10 && !Number.isInteger(value) ? value.toFixed(1) : value.toFixed(0);
}
