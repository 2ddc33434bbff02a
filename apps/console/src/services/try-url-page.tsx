// Why is a URL refused, and what would its application get?
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { postApiV1ServicesDryRun } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { DryRunResult } from '../api/answers.js';
import { copyOf } from '../ui/attributes.js';
import { Attributes, Flag, TextInput } from '../ui/fields.js';
import { ProblemNote, useAction } from '../ui/parts.js';
import { Verdict } from './verdict.js';

/** @param query `url` and `user` fill the form */
export function TryUrlPage({ query }: { readonly query: URLSearchParams }): ReactNode {
  const [url, setUrl] = useState(query.get('url') ?? '');
  const [user, setUser] = useState(query.get('user') ?? '');
  const [hasOwn, setHasOwn] = useState(false);
  const [attributes, setAttributes] = useState<Readonly<Record<string, readonly string[]>>>({});
  const [result, setResult] = useState<DryRunResult>();
  const tried = useAction(async () => {
    const body = {
      url,
      ...(user !== '' && { user }),
      ...(hasOwn && { attributes: copyOf(attributes) }),
    };
    setResult(await answer(postApiV1ServicesDryRun({ body })));
  });
  return (
    <>
      <h1>Try a URL</h1>
      <p>
        Which service gets it, may the user sign in to it, and what does it get? The URL is that of
        an application, or of an authorization request of OpenID Connect with its parameters.
        Nothing is changed.
      </p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          tried.run();
        }}
      >
        <TextInput label="URL" isRequired value={url} onChange={setUrl} />
        <TextInput
          label="User"
          description="Attributes are those of the account, or of the last session."
          value={user}
          onChange={setUser}
        />
        <Flag label="Give other attributes" value={hasOwn} onChange={setHasOwn} />
        {hasOwn && (
          <Attributes
            label="Attributes"
            description="One name = value a line."
            value={attributes}
            onChange={setAttributes}
          />
        )}
        <div className="actions">
          <Button type="submit" className="primary" isDisabled={tried.isBusy || url === ''}>
            Try
          </Button>
        </div>
      </form>
      <ProblemNote problem={tried.problem} />
      <div aria-live="polite">
        {result && (
          <>
            <h2>Answer</h2>
            <Verdict result={result} />
          </>
        )}
      </div>
    </>
  );
}
