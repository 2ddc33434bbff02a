// Leads from a URL to the page of the service that gets it.
import { type ReactNode, useCallback, useEffect } from 'react';
import { postApiV1ServicesDryRun } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import { linkTo } from '../location.js';
import { useLoaded } from '../loading.js';
import { ProblemNote } from '../ui/parts.js';

export function ServiceOfUrl({ url }: { readonly url: string }): ReactNode {
  const read = useCallback(() => answer(postApiV1ServicesDryRun({ body: { url } })), [url]);
  const { data, problem } = useLoaded(read);
  const id = data?.matches[0]?.id;
  useEffect(() => {
    // The way back leads to the page before.
    if (id) location.replace(linkTo(['services', id]));
  }, [id]);
  const isUnknown = data !== undefined && !id;
  return (
    <>
      <h1>{isUnknown ? 'No service' : 'Service'}</h1>
      <ProblemNote problem={problem} />
      {isUnknown && (
        <>
          <p>
            No registered service matches <code>{url}</code>. URLs of the audit trail are without
            their query, which a pattern may need.
          </p>
          <p>
            <a href={linkTo(['try-url'], { url })}>Try a URL</a> ·{' '}
            <a href={linkTo(['services'])}>All services</a>
          </p>
        </>
      )}
    </>
  );
}
