// Creates a Nest application on Express.
import { NotFoundException, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { nestLogger } from '@tessera/logging';
import { AddressRanges } from '../addresses/address-ranges.js';
import { ClientAddresses, type Forwarding } from '../addresses/client-addresses.js';
import { send, text } from '../answers/answer.js';
import { AnswerAdapter } from './express-adapter.js';
import { ExpiryWatch } from '../tls/expiry-watch.js';
import { isFromBrowser } from '../answers/html.js';
import { Listener } from '../listeners/listener.js';
import { isManagementRequest, MANAGEMENT, onlyForManagement } from '../requests/management.js';
import {
  ERROR_PAGES,
  MANAGEMENT_ERRORS,
  NOT_FOUND,
  renderPlainText,
  RequestErrorsFilter,
  type ErrorPages,
  type ErrorRenderer,
} from '../requests/request-errors.filter.js';
import { requestContext } from '../requests/request-context.middleware.js';

export interface ApplicationOptions {
  /** Global prefix of all routes, such as `/cas`; empty for none. */
  readonly contextPath: string;
  /** Formats errors that no filter of the application handles; default plain text. */
  readonly renderError?: ErrorRenderer;
  /** The socket, which the application leaves open. With HTTPS, the module must import `ExpiryModule`. Default: its own. */
  readonly listener?: Listener | undefined;
}

/** Creates the application without listening. Bodies are not parsed: routes read them. */
export async function createApplication(
  module: Type | DynamicModule,
  options: ApplicationOptions,
): Promise<NestExpressApplication> {
  const { renderError = renderPlainText, contextPath } = options;
  const listener = options.listener ?? (await Listener.create());
  const adapter = new AnswerAdapter(listener, renderError, options.listener !== undefined);
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: nestLogger(),
    abortOnError: false,
  });
  app.use(requestContext(optional(app, ClientAddresses, UNTRUSTING)));
  if (contextPath !== '') app.setGlobalPrefix(contextPath, { exclude: [`${MANAGEMENT}{/*path}`] });
  const pages = optional<ErrorPages | undefined>(app, ERROR_PAGES, undefined);
  const renderForOperators = optional(app, MANAGEMENT_ERRORS, renderPlainText);
  const render: ErrorRenderer = (error, request) =>
    (isManagementRequest(request) ? renderForOperators : renderError)(error, request);
  const errors = new RequestErrorsFilter(render, pages);
  app.use(
    `/${MANAGEMENT}`,
    onlyForManagement((request) => renderError(NOT_FOUND, request)),
  );
  app.useGlobalFilters(errors);
  const expiries = optional<ExpiryWatch | undefined>(app, ExpiryWatch, undefined);
  expiries?.add(() => listener.expiring);
  await initialise(app);
  app.use((request: Request, response: Response) => {
    // Outside the context path Nest has no route, and Express would answer with its own page.
    if (contextPath !== '' && request.url === '/' && isFromBrowser(request)) {
      send(response, text(302, '', { Location: `${contextPath}/` }));
    } else void errors.send(new NotFoundException(), request, response);
  });
  return app;
}

const NO_PROXIES: Forwarding = { proxies: AddressRanges.parse([]), header: 'x-forwarded-for' };
/** Without addresses of the module, no proxy is trusted. */
const UNTRUSTING = new ClientAddresses(NO_PROXIES);

/** A provider of the module, or else what stands for it. */
function optional<T>(app: NestExpressApplication, token: symbol | Type<T>, otherwise: T): T {
  try {
    return app.get<T>(token, { strict: false });
  } catch {
    return otherwise;
  }
}

/** Runs the lifecycle hooks; when one fails, closes what the others opened. */
async function initialise(app: NestExpressApplication): Promise<void> {
  try {
    await app.init();
  } catch (error) {
    await app.close();
    throw error;
  }
}
