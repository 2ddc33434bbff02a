// Parts that several pages have.
import { Fragment, type ReactNode, useId, useState } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { Problem } from '../api/problem.js';
import type { Loaded, LoadedPages } from '../loading.js';
import { toProblem } from '../loading.js';

/** A problem, for people; read out when it appears. */
export function ProblemNote({ problem }: { readonly problem: Problem | undefined }): ReactNode {
  if (problem === undefined) return null;
  const hasViolations = problem.violations.length > 0;
  return (
    <div className="problem" role="alert">
      {problem.code === 'CHANGED_MEANWHILE' ? (
        <p>Somebody has changed this meanwhile. Copy what you need, and load the page again.</p>
      ) : (
        !hasViolations && <p>{problem.message}</p>
      )}
      {hasViolations && (
        <ul>
          {problem.violations.map(({ field, reason }) => (
            <li key={field + reason}>
              <strong>{field}</strong> {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T) => ReactNode;
  /** Whether its words are not broken. */
  readonly isWhole?: boolean;
}

/**
 * A list as a table. On a narrow screen each row is a card, with the titles beside the cells.
 * @param details what a row shows when it is expanded @param empty shown in place of an empty table
 */
export function List<T>({
  label,
  pages,
  columns,
  keyOf,
  details,
  empty = 'There are none.',
}: {
  readonly label: string;
  readonly pages: LoadedPages<T>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
  readonly details?: (item: T) => ReactNode;
  readonly empty?: ReactNode;
}): ReactNode {
  const { data, problem, more } = pages;
  return (
    <>
      <ProblemNote problem={problem} />
      {data === undefined && problem === undefined && <p role="status">Loading…</p>}
      {data?.length === 0 && (
        <div role="status" className="empty">
          {empty}
        </div>
      )}
      {data !== undefined && data.length > 0 && (
        <table aria-label={label}>
          <thead>
            <tr>
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              {details && <th scope="col">Details</th>}
            </tr>
          </thead>
          <tbody>
            {data.map((item) => (
              <Row key={keyOf(item)} item={item} columns={columns} details={details} />
            ))}
          </tbody>
        </table>
      )}
      {more && (
        <Button className="more" onPress={more}>
          Show more
        </Button>
      )}
    </>
  );
}

function Row<T>({
  item,
  columns,
  details,
}: {
  readonly item: T;
  readonly columns: readonly Column<T>[];
  readonly details: ((item: T) => ReactNode) | undefined;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <tr className={isOpen ? 'open' : undefined}>
        {columns.map(({ title, cell, isWhole }) => (
          <td key={title} data-title={title} className={isWhole ? 'whole' : undefined}>
            {cell(item)}
          </td>
        ))}
        {details && (
          <td data-title="Details">
            <button
              type="button"
              className="expand"
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              Details
            </button>
          </td>
        )}
      </tr>
      {details && isOpen && (
        <tr id={id} className="details">
          <td colSpan={columns.length + 1}>{details(item)}</td>
        </tr>
      )}
    </>
  );
}

/** Names and values. A value that is null is left out. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}): ReactNode {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** A list that has no pages. */
export function onePage<T>(loaded: Loaded<readonly T[]>): LoadedPages<T> {
  return { ...loaded, more: undefined };
}

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A time in the time zone of the browser. Its title is the exact time, in UTC. */
export function Time({ value }: { readonly value: string | null }): ReactNode {
  if (value === null) return 'never';
  const date = new Date(value);
  return (
    <time dateTime={value} title={value}>
      <span>{DATE.format(date)}</span>, <span>{TIME.format(date)}</span>
    </time>
  );
}

export function Badge({
  kind,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'neutral';
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${kind}`}>{children}</span>;
}

/** A button for what cannot be undone: it asks first. */
export function Confirmed({
  label,
  question,
  act,
}: {
  readonly label: string;
  readonly question: string;
  readonly act: () => Promise<void>;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { run, isBusy, problem } = useAction(async () => {
    await act();
    setOpen(false);
  });
  return (
    <>
      <Button className="danger" onPress={() => setOpen(true)}>
        {label}
      </Button>
      <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={setOpen} isDismissable>
        <Modal className="modal">
          <Dialog role="alertdialog">
            <Heading slot="title">{question}</Heading>
            <ProblemNote problem={problem} />
            <div className="actions">
              <Button onPress={() => setOpen(false)} autoFocus>
                Cancel
              </Button>
              <Button className="danger" onPress={run} isDisabled={isBusy}>
                {label}
              </Button>
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  );
}

export interface Action {
  readonly run: () => void;
  readonly isBusy: boolean;
  /** Of the last run. */
  readonly problem: Problem | undefined;
}

/** A call that a person asks for; one at a time. */
export function useAction(act: () => Promise<void>): Action {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = (): void => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    act()
      .catch((error: unknown) => setProblem(toProblem(error)))
      .finally(() => setBusy(false));
  };
  return { run, isBusy, problem };
}
