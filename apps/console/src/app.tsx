// The frame of the console: who is signed in, the navigation, and the page of the current place.
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { MeContext } from './access.js';
import { getApiV1Me } from './api/generated/sdk.gen.js';
import { answer } from './api/problem.js';
import type { Me } from './api/answers.js';
import { Dashboard } from './dashboard/dashboard.js';
import { KeepReadings } from './dashboard/readings.js';
import { useKeptFocus } from './kept-focus.js';
import { linkTo, type Place, usePlace } from './location.js';
import { useLoaded } from './loading.js';
import { AuditPage } from './pages/audit-page.js';
import { LogoutMessagesPage } from './pages/logout-messages-page.js';
import { SessionPage, SessionsPage } from './pages/sessions-page.js';
import { SettingsPage } from './pages/settings-page.js';
import { UserPage, UsersPage } from './pages/users-page.js';
import { ServiceOfUrl } from './services/service-of-url.js';
import { ServicePage } from './services/service-page.js';
import { ServicesPage } from './services/services-page.js';
import { TryUrlPage } from './services/try-url-page.js';
import { NotFound } from './ui/not-found.js';

const SECTIONS = [
  ['', 'Dashboard'],
  ['services', 'Services'],
  ['try-url', 'Try a URL'],
  ['sessions', 'Sessions'],
  ['users', 'Users'],
  ['audit', 'Audit'],
  ['logout-messages', 'Logout messages'],
  ['settings', 'Settings'],
] as const;

/** Notices soon that the session has ended. */
const CHECK_MS = 30_000;

export function App(): ReactNode {
  const read = useCallback(() => answer(getApiV1Me()), []);
  const { data: me, problem } = useLoaded(read, CHECK_MS);
  if (problem?.status === 401) return me === undefined ? <SignIn /> : <SignedOut />;
  if (problem?.status === 403) return <NoAccess detail={problem.message} />;
  if (me === undefined) {
    return (
      <Notice title="Tessera console">
        <p>{problem?.message ?? 'Loading…'}</p>
      </Notice>
    );
  }
  return (
    <MeContext value={me}>
      <KeepReadings>
        <Frame me={me} />
      </KeepReadings>
    </MeContext>
  );
}

function Frame({ me }: { readonly me: Me }): ReactNode {
  const place = usePlace();
  const [section = ''] = place.path;
  const found = isPage(place.path) ? SECTIONS.find(([name]) => name === section) : undefined;
  const title = found?.[1] ?? 'Not found';
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  useEffect(() => {
    document.title = `${title} · Tessera console`;
  }, [title]);
  return (
    <div className="frame">
      <header className="top">
        <a
          className="skip"
          href="#content"
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to the content
        </a>
        <a className="brand" href={linkTo([])}>
          Tessera
        </a>
        <span className="version">{me.version}</span>
        <span className="who">
          {me.name}
          {me.role === 'read-only' ? ' (read-only)' : ''}
        </span>
        <SignOut />
      </header>
      <nav aria-label="Console">
        <ul>
          {SECTIONS.map(([name, label]) => (
            <li key={name}>
              <a
                href={linkTo(name === '' ? [] : [name])}
                aria-current={name === section ? 'page' : undefined}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" ref={main} tabIndex={-1} key={place.path.join('/')}>
        <CurrentPage place={place} />
      </main>
    </div>
  );
}

function CurrentPage({ place: { path, query } }: { readonly place: Place }): ReactNode {
  const [section = '', id] = path;
  if (!isPage(path)) return <NotFound />;
  switch (section) {
    case '':
      return <Dashboard />;
    case 'services':
      return <Services id={id} query={query} />;
    case 'try-url':
      return <TryUrlPage query={query} />;
    case 'sessions':
      return id === undefined ? <SessionsPage query={query} /> : <SessionPage id={id} />;
    case 'users':
      return id === undefined ? <UsersPage /> : <UserPage name={id} />;
    case 'audit':
      return <AuditPage query={query} />;
    case 'logout-messages':
      return <LogoutMessagesPage query={query} />;
    case 'settings':
      return <SettingsPage />;
    default:
      return <NotFound />;
  }
}

/** Sections with a page for each of their items. */
const WITH_ITEMS = ['services', 'sessions', 'users'];

/** A browser takes `.` and `..` out of the paths that it requests, so no item has such a name. */
function isPage([section = '', ...ids]: Place['path']): boolean {
  const [id = ''] = ids;
  return ids.length <= (WITH_ITEMS.includes(section) ? 1 : 0) && id !== '.' && id !== '..';
}

function Services({
  id,
  query,
}: {
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}): ReactNode {
  if (id === undefined) return <ServicesPage />;
  if (id === 'of') return <ServiceOfUrl url={query.get('url') ?? ''} />;
  return <ServicePage id={id} />;
}

function SignOut(): ReactNode {
  return (
    <form method="post" action="/sign-out">
      <button type="submit" className="quiet">
        Sign out
      </button>
    </form>
  );
}

function SignIn(): ReactNode {
  return (
    <Notice title="Tessera console">
      <p>The console is for operators.</p>
      <div className="actions">
        <a className="button primary" href="/sign-in">
          Sign in
        </a>
      </div>
    </Notice>
  );
}

function SignedOut(): ReactNode {
  return (
    <Notice title="You are signed out">
      <p>Sessions end by a logout, after some time, or by an operator. Sign in to go on.</p>
      <div className="actions">
        <a className="button primary" href="/sign-in">
          Sign in again
        </a>
      </div>
    </Notice>
  );
}

function NoAccess({ detail }: { readonly detail: string }): ReactNode {
  return (
    <Notice title="You have no access" action={<SignOut />}>
      <p>The console is for operators: {detail}.</p>
      <p>Ask an administrator for a role. Then sign out, and sign in again.</p>
      <div className="actions">
        <a className="button" href="/console/">
          Try again
        </a>
      </div>
    </Notice>
  );
}

/** The frame without navigation. */
function Notice({
  title,
  action,
  children,
}: {
  readonly title: string;
  /** At the right end of the header. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <header className="top">
        <span className="brand">Tessera</span>
        <span className="who" />
        {action}
      </header>
      <main className="notice">
        <h1>{title}</h1>
        {children}
      </main>
    </>
  );
}
