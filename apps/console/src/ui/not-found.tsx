// A place that does not exist.
import type { ReactNode } from 'react';
import { linkTo } from '../location.js';

export function NotFound(): ReactNode {
  return (
    <>
      <h1>Not found</h1>
      <p>The console has no such page.</p>
      <p>
        <a href={linkTo([])}>Go to the dashboard</a>
      </p>
    </>
  );
}
