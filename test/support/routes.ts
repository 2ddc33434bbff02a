// Reads and changes the routes of a running application.
import type { INestApplication } from '@nestjs/common';
import type { Express, RequestHandler } from 'express';

/** Distinct paths of all routes, with their parameters: `/cas/v1/tickets/:tgt`. */
export function pathsOf(app: INestApplication): readonly string[] {
  const express = app.getHttpAdapter().getInstance() as Express;
  const paths = express.router.stack.flatMap(({ route }) => (route ? [route.path] : []));
  return [...new Set(paths)];
}

/** Adds a POST route before all others. */
export function addFirstRoute(app: INestApplication, path: string, handler: RequestHandler): void {
  const express = app.getHttpAdapter().getInstance() as Express;
  express.post(path, handler);
  const { stack } = express.router;
  stack.unshift(...stack.splice(-1));
}
