// The secrets of a client: makes one and shows it once, lists and removes them.
import { type ReactNode, useCallback, useState } from 'react';
import { Button } from 'react-aria-components';
import { useMayChange } from '../access.js';
import type { Secret } from '../api/answers.js';
import {
  deleteApiV1ServicesIdSecretsSecret,
  getApiV1ServicesIdSecrets,
  postApiV1ServicesIdSecrets,
} from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import { useLoaded } from '../loading.js';
import {
  type Column,
  Confirmed,
  List,
  onePage,
  ProblemNote,
  Time,
  useAction,
} from '../ui/parts.js';

/** @param id of the service */
export function ClientSecrets({ id }: { readonly id: string }): ReactNode {
  const mayChange = useMayChange();
  const path = { id };
  const read = useCallback(
    async () => (await answer(getApiV1ServicesIdSecrets({ path: { id } }))).items,
    [id],
  );
  const secrets = useLoaded(read);
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const { secret } = await answer(postApiV1ServicesIdSecrets({ path }));
    setMade(secret);
    secrets.reload();
  });
  const remove = async (secret: string): Promise<void> => {
    await answer(deleteApiV1ServicesIdSecretsSecret({ path: { id, secret } }));
    secrets.reload();
  };
  return (
    <section aria-labelledby="secrets">
      <h2 id="secrets">Secrets</h2>
      <p>All of these are valid. Remove the old one when the application has the new one.</p>
      <List
        label="Secrets"
        pages={onePage(secrets)}
        columns={mayChange ? [...COLUMNS, removal(remove)] : COLUMNS}
        keyOf={(each) => each.id}
      />
      <div role="status">
        {made !== undefined && (
          <p className="made">
            The new secret, which is not shown again: <code>{made}</code>
          </p>
        )}
      </div>
      <ProblemNote problem={make.problem} />
      {mayChange && (
        <div className="actions">
          <Button onPress={make.run} isPending={make.isBusy}>
            Make a secret
          </Button>
        </div>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Secret>[] = [
  { title: 'Secret', cell: ({ id }) => id },
  { title: 'Made', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Ends', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
];

function removal(remove: (id: string) => Promise<void>): Column<Secret> {
  return {
    title: 'Removal',
    cell: ({ id }) => (
      <Confirmed
        label="Remove"
        question={`Remove secret ${id}? An application that has it gets no more tokens.`}
        act={() => remove(id)}
      />
    ),
  };
}
