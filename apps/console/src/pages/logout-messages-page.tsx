// Logout messages that could not be sent, or wait for the next attempt.
import { type ReactNode, useCallback } from 'react';
import { Button } from 'react-aria-components';
import { useMayChange } from '../access.js';
import { getApiV1LogoutMessages, postApiV1LogoutMessagesRetry } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { LogoutMessage, MessageState } from '../api/answers.js';
import { type LoadedPages, usePages } from '../loading.js';
import { goTo } from '../location.js';
import { Choice } from '../ui/fields.js';
import { type Column, List, ProblemNote, Time, useAction } from '../ui/parts.js';

const COLUMNS: readonly Column<LogoutMessage>[] = [
  { title: 'Application', cell: ({ service }) => service },
  { title: 'User', cell: ({ user }) => user },
  { title: 'Session ended', cell: ({ endedAt }) => <Time value={endedAt} /> },
];
const REASON: Column<LogoutMessage> = { title: 'Reason', cell: ({ reason }) => reason ?? 'none' };
const WAITING_COLUMNS: readonly Column<LogoutMessage>[] = [
  ...COLUMNS,
  { title: 'Attempts', cell: ({ attempts }) => attempts },
  { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> },
  REASON,
];
const FAILED_COLUMNS: readonly Column<LogoutMessage>[] = [
  ...COLUMNS,
  { title: 'Last attempt', cell: ({ failedAt }) => <Time value={failedAt} /> },
  REASON,
];

export function LogoutMessagesPage({ query }: { readonly query: URLSearchParams }): ReactNode {
  const state: MessageState = query.get('state') === 'waiting' ? 'waiting' : 'failed';
  const read = useCallback(
    (after?: string) =>
      answer(getApiV1LogoutMessages({ query: { state, ...(after !== undefined && { after }) } })),
    [state],
  );
  const pages = usePages(read);
  return (
    <>
      <h1>Logout messages</h1>
      <p>
        They tell applications of the end of a session. A message has failed after about an hour of
        attempts.
      </p>
      <div className="search">
        <Choice
          label="State"
          value={state}
          options={{ failed: 'failed', waiting: 'waiting for the next attempt' }}
          onChange={(chosen) => goTo(['logout-messages'], { state: chosen })}
        />
      </div>
      {state === 'failed' ? (
        <Failed pages={pages} />
      ) : (
        <List
          label="Waiting messages"
          pages={pages}
          columns={WAITING_COLUMNS}
          keyOf={({ id }) => id}
          empty="No message waits."
        />
      )}
    </>
  );
}

function Failed({ pages }: { readonly pages: LoadedPages<LogoutMessage> }): ReactNode {
  const mayChange = useMayChange();
  const retryAll = useAction(async () => {
    await answer(postApiV1LogoutMessagesRetry({ body: { all: true } }));
    pages.reload();
  });
  const again: Column<LogoutMessage> = {
    title: 'Again',
    cell: ({ id, service }) => <RetryOne id={id} service={service} onDone={pages.reload} />,
  };
  return (
    <>
      <List
        label="Failed messages"
        pages={pages}
        columns={mayChange ? [...FAILED_COLUMNS, again] : FAILED_COLUMNS}
        keyOf={({ id }) => id}
        empty="No message has failed."
      />
      <ProblemNote problem={retryAll.problem} />
      {mayChange && (pages.data?.length ?? 0) > 0 && (
        <Button className="primary" onPress={retryAll.run} isDisabled={retryAll.isBusy}>
          Send all again
        </Button>
      )}
    </>
  );
}

function RetryOne({
  id,
  service,
  onDone,
}: {
  readonly id: string;
  readonly service: string;
  readonly onDone: () => void;
}): ReactNode {
  const retry = useAction(async () => {
    await answer(postApiV1LogoutMessagesRetry({ body: { ids: [id] } }));
    onDone();
  });
  return (
    <>
      <Button onPress={retry.run} isDisabled={retry.isBusy} aria-label={`Send again to ${service}`}>
        Send again
      </Button>
      <ProblemNote problem={retry.problem} />
    </>
  );
}
