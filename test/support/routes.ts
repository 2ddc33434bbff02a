// Every route of a running application, as its router has them: new ones are among them by themselves.
import type { INestApplication } from '@nestjs/common';
import type { Express, RequestHandler } from 'express';

/** Paths with their parameters (`/cas/v1/tickets/:tgt`), each once. */
export function pathsOf(app: INestApplication): readonly string[] {
  const express = app.getHttpAdapter().getInstance() as Express;
  const paths = express.router.stack.flatMap(({ route }) => (route ? [route.path] : []));
  return [...new Set(paths)];
}

/** Adds a route that comes before all others. */
export function addFirstRoute(app: INestApplication, path: string, handler: RequestHandler): void {
  const express = app.getHttpAdapter().getInstance() as Express;
  express.post(path, handler);
  const { stack } = express.router;
  stack.unshift(...stack.splice(-1));
}
