// Tries URLs with a definition that is not stored, as one types.
import { type ReactNode, useCallback, useState } from 'react';
import { postApiV1ServicesDryRun } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { Definition } from '../api/answers.js';
import { useLoaded } from '../loading.js';
import { TextInput, useSettled } from '../ui/fields.js';
import { ProblemNote } from '../ui/parts.js';
import { withoutEmptyNames } from './definition.js';
import { Verdict } from './verdict.js';

/** Neither takes part in CAS nor is a client. */
function isEmpty({ serviceId, client }: Definition): boolean {
  return serviceId === null && client === null;
}

/** @param replaces the id of the stored service */
export function DraftTrial({
  definition,
  replaces,
}: {
  readonly definition: Definition;
  readonly replaces?: string | undefined;
}): ReactNode {
  const [url, setUrl] = useState('');
  const settledUrl = useSettled(url, 250);
  const draft = useSettled(definition, 250);
  const read = useCallback(async () => {
    if (settledUrl === '' || isEmpty(draft)) return undefined;
    const body = {
      url: settledUrl,
      definition: { ...withoutEmptyNames(draft), name: draft.name || 'this service' },
      ...(replaces !== undefined && { replaces }),
    };
    return answer(postApiV1ServicesDryRun({ body }));
  }, [settledUrl, draft, replaces]);
  const { data, problem } = useLoaded(read);
  return (
    <section aria-labelledby="trial">
      <h2 id="trial">Try it</h2>
      <TextInput
        label="URL"
        description="Of an application, or of an authorization request with its parameters. Tried with these fields, before anything is saved."
        value={url}
        onChange={setUrl}
      />
      <div aria-live="polite">
        {problem === undefined ? (
          data && <Verdict result={data} />
        ) : (
          <ProblemNote problem={problem} />
        )}
      </div>
    </section>
  );
}
