// Logout messages that could not be sent.
import { type ReactNode, useCallback } from 'react';
import { Button } from 'react-aria-components';
import { useMayChange } from '../access.js';
import { getApiV1LogoutMessages, postApiV1LogoutMessagesRetry } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { FailedMessage } from '../api/answers.js';
import { usePages } from '../loading.js';
import { type Column, List, ProblemNote, Time, useAction } from '../ui/parts.js';

export function LogoutMessagesPage(): ReactNode {
  const mayChange = useMayChange();
  const read = useCallback(
    (after?: string) =>
      answer(getApiV1LogoutMessages({ query: { ...(after !== undefined && { after }) } })),
    [],
  );
  const pages = usePages(read);
  const retryAll = useAction(async () => {
    await answer(postApiV1LogoutMessagesRetry({ body: { all: true } }));
    pages.reload();
  });
  const columns: readonly Column<FailedMessage>[] = [
    { title: 'Application', cell: ({ service }) => service },
    { title: 'User', cell: ({ user }) => user },
    { title: 'Session ended', cell: ({ endedAt }) => <Time value={endedAt} /> },
    { title: 'Last attempt', cell: ({ failedAt }) => <Time value={failedAt} /> },
    { title: 'Reason', cell: ({ reason }) => reason },
    ...(mayChange
      ? [
          {
            title: 'Again',
            cell: ({ id, service }: FailedMessage) => (
              <RetryOne id={id} service={service} onDone={pages.reload} />
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <h1>Failed logout messages</h1>
      <p>
        Applications that could not be told of the end of a session, after about an hour of
        attempts.
      </p>
      <List label="Failed messages" pages={pages} columns={columns} keyOf={({ id }) => id} />
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
