// The answer of a dry run.
import type { ReactNode } from 'react';
import type { DryRunResult } from '../api/answers.js';
import { linkTo } from '../location.js';
import { writeAttributes } from '../ui/attributes.js';
import { Badge } from '../ui/parts.js';

export function Verdict({ result }: { readonly result: DryRunResult }): ReactNode {
  const { decision, detail, matches, missingAttributes, released, logout } = result;
  const missing = writeAttributes(missingAttributes);
  return (
    <div className="verdict">
      <p>
        <Badge kind={decision === 'allowed' ? 'good' : 'bad'}>{decision}</Badge> {detail}
      </p>
      {missing !== '' && (
        <>
          <h3>One of these is needed</h3>
          <pre>{missing}</pre>
        </>
      )}
      {matches.length > 0 && (
        <>
          <h3>Services that match; the first decides</h3>
          <ol>
            {matches.map(({ id, name, enabled, evaluationOrder, isDraft }) => (
              <li key={id ?? 'draft'}>
                {id === null ? name : <a href={linkTo(['services', id])}>{name}</a>} (order{' '}
                {evaluationOrder}
                {isDraft && ', as edited here'}
                {!enabled && ', disabled'})
              </li>
            ))}
          </ol>
        </>
      )}
      {released && (
        <>
          <h3>What it gets</h3>
          <p>User: {released.user ?? 'a pseudonym'}</p>
          <pre>{writeAttributes(released.attributes) || 'no attributes'}</pre>
        </>
      )}
      {logout && (
        <p>
          It is told of the end of the session by the{' '}
          {logout.type === 'back' ? 'server' : 'browser'}: <code>{logout.url}</code>
        </p>
      )}
    </div>
  );
}
