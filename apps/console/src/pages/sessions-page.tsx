// The single sign-on sessions of all users, and one of them.
import { type ReactNode, useCallback, useState } from 'react';
import { useMayChange } from '../access.js';
import {
  deleteApiV1Sessions,
  deleteApiV1SessionsId,
  getApiV1Sessions,
  getApiV1SessionsId,
} from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { Session } from '../api/answers.js';
import { goTo, linkTo } from '../location.js';
import { useLoaded, usePages } from '../loading.js';
import { useSettled } from '../ui/fields.js';
import { Missing } from '../ui/not-found.js';
import { Badge, type Column, Confirmed, List, ProblemNote, Time } from '../ui/parts.js';
import { Search } from '../ui/search.js';

const COLUMNS: readonly Column<Session>[] = [
  {
    title: 'User',
    cell: ({ id, user, isOwn }) => (
      <>
        <a href={linkTo(['sessions', id])}>{user}</a> {isOwn && <Badge kind="neutral">yours</Badge>}
      </>
    ),
  },
  { title: 'Login', cell: ({ authenticatedAt }) => <Time value={authenticatedAt} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
  { title: 'Ends', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  { title: 'By', cell: ({ handler }) => handler },
];

export function SessionsPage({ query }: { readonly query: URLSearchParams }): ReactNode {
  const mayChange = useMayChange();
  const [text, setText] = useState(query.get('user') ?? '');
  const user = useSettled(text, 250);
  const read = useCallback(
    (after?: string) =>
      answer(
        getApiV1Sessions({
          query: { ...(user !== '' && { user }), ...(after !== undefined && { after }) },
        }),
      ),
    [user],
  );
  const pages = usePages(read);
  const count = pages.data?.length ?? 0;
  return (
    <>
      <h1>Sessions</h1>
      <Search label="Name of a user" value={text} onChange={setText} />
      <List label="Sessions" pages={pages} columns={COLUMNS} keyOf={({ id }) => id} />
      {mayChange && user !== '' && count > 0 && (
        <Confirmed
          label="End all sessions"
          question={`End ${countOf(count, pages.more !== undefined)} of ${user}? Applications are notified.`}
          act={async () => {
            await answer(deleteApiV1Sessions({ query: { user } }));
            pages.reload();
          }}
        />
      )}
    </>
  );
}

/** @param hasMore whether the list has further pages */
function countOf(count: number, hasMore: boolean): string {
  if (hasMore) return `all sessions (more than ${count})`;
  return count === 1 ? 'the only session' : `all ${count} sessions`;
}

export function SessionPage({ id }: { readonly id: string }): ReactNode {
  const mayChange = useMayChange();
  const read = useCallback(() => answer(getApiV1SessionsId({ path: { id } })), [id]);
  const { data: session, problem } = useLoaded(read);
  if (problem?.code === 'SESSION_NOT_FOUND') {
    return (
      <Missing text="There is no such session. It may have ended.">
        <a href={linkTo(['sessions'])}>All sessions</a>
      </Missing>
    );
  }
  if (session === undefined) return <ProblemNote problem={problem} />;
  const { user, services } = session;
  return (
    <>
      <h1>Session of {user}</h1>
      <dl className="facts">
        <dt>Login</dt>
        <dd>
          <Time value={session.authenticatedAt} />, by {session.handler} ({session.credentialType})
        </dd>
        <dt>Last used</dt>
        <dd>
          <Time value={session.lastUsedAt} />
        </dd>
        <dt>Ends</dt>
        <dd>
          <Time value={session.expiresAt} />
          {session.isRemembered && ', remembered'}
        </dd>
      </dl>
      <h2>Told of its end</h2>
      {services.length === 0 && <p>No application.</p>}
      <ul>
        {services.map(({ protocol, service }) => (
          <li key={`${protocol} ${service}`}>
            <code>{service}</code>
          </li>
        ))}
      </ul>
      <p>
        <a href={linkTo(['audit'], { user })}>Audit of {user}</a> ·{' '}
        <a href={linkTo(['sessions'], { user })}>All sessions of {user}</a>
      </p>
      {mayChange && (
        <Confirmed
          label="End the session"
          question={`End this session of ${user}?${session.isOwn ? ' It is your own: you are signed out.' : ''}`}
          act={async () => {
            await answer(deleteApiV1SessionsId({ path: { id } }));
            goTo(['sessions']);
          }}
        />
      )}
    </>
  );
}
