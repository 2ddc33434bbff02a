// A place that does not exist.
import type { ReactNode } from 'react';
import { linkTo } from '../location.js';

export function NotFound(): ReactNode {
  return (
    <Missing text="The console has no such page.">
      <a href={linkTo([])}>Go to the dashboard</a>
    </Missing>
  );
}

/** What was asked for does not exist. @param children the way on */
export function Missing({
  text,
  children,
}: {
  readonly text: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <h1>Not found</h1>
      <p>{text}</p>
      <p>{children}</p>
    </>
  );
}
