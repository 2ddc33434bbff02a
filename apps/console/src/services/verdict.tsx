// The answer of a dry run.
import type { ReactNode } from 'react';
import type { DryRunResult } from '../api/answers.js';
import { linkTo } from '../location.js';
import { writeAttributes } from '../ui/attributes.js';
import { Badge } from '../ui/parts.js';

export function Verdict({ result }: { readonly result: DryRunResult }): ReactNode {
  const { authorization, decision, detail, matches, missingAttributes, released, logout } = result;
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
      {authorization && <AuthorizationAnswer authorization={authorization} />}
      {released && (
        <>
          <h3>What it gets</h3>
          <p>User: {released.user ?? 'a pseudonym'}</p>
          <pre>{writeAttributes(released.attributes) || 'no attributes'}</pre>
        </>
      )}
      {logout && (
        <p>
          It gets logout messages by the {logout.type === 'back' ? 'server' : 'browser'}:{' '}
          <code>{logout.url}</code>
        </p>
      )}
    </div>
  );
}

const CONSENT = {
  always: 'The user is asked to agree each time.',
  once: 'The user is asked to agree, unless this was done before.',
  never: 'The user is not asked to agree.',
};

function AuthorizationAnswer({
  authorization: { claims, consent, error, login, redirectUri, scopes, violations },
}: {
  readonly authorization: NonNullable<DryRunResult['authorization']>;
}): ReactNode {
  return (
    <>
      {violations.length > 0 && (
        <>
          <h3>Why the request is refused</h3>
          <ul>
            {violations.map(({ parameter, reason }) => (
              <li key={`${parameter} ${reason}`}>
                <code>{parameter}</code> {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        {redirectUri === null ? (
          'The browser is shown a page, and is not sent back.'
        ) : (
          <>
            The browser is sent back to <code>{redirectUri}</code>.
          </>
        )}
        {error !== null && (
          <>
            {' '}
            The answer is <code>{error}</code>.
          </>
        )}
      </p>
      {error === null && (
        <p>
          {login === 'always' ? 'The user logs in each time.' : 'A session is enough.'}{' '}
          {CONSENT[consent]} Scopes: {scopes.join(' ') || 'none'}
        </p>
      )}
      {claims && (
        <>
          <h3>Claims in the ID token</h3>
          <pre>{JSON.stringify(claims.idToken, null, 2)}</pre>
          <h3>Claims at userinfo</h3>
          <pre>{JSON.stringify(claims.userinfo, null, 2)}</pre>
        </>
      )}
    </>
  );
}
