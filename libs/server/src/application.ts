// Creates a Nest application on Express.
import { NotFoundException, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { nestLogger } from '@tessera/logging';
import { AddressRanges } from './addresses/address-ranges.js';
import { ClientAddresses, type Forwarding } from './addresses/client-addresses.js';
import { send, text } from './answer.js';
import { AnswerAdapter } from './express-adapter.js';
import { ExpiryWatch } from './endpoints/expiry-watch.js';
import { isFromBrowser } from './html.js';
import {
  ERROR_PAGES,
  renderPlainText,
  RequestErrorsFilter,
  type ErrorPages,
  type ErrorRenderer,
  type IsTemporary,
} from './request-errors.filter.js';
import { requestContext } from './request-context.middleware.js';
import { HttpsListener } from './tls/https-listener.js';
import type { TlsOptions } from './tls/tls-options.js';

export interface ApplicationOptions {
  /** Global prefix of all routes, such as `/cas`; empty for none. */
  readonly contextPath: string;
  readonly isTemporary: IsTemporary;
  /** Formats errors that no filter of the application handles; default plain text. */
  readonly renderError?: ErrorRenderer;
  /** Serves HTTPS instead of HTTP. The module must import `ExpiryModule`. */
  readonly tls?: TlsOptions | undefined;
}

/**
 * Creates the application without listening. Bodies are not parsed: routes read them.
 * @throws ServerError TLS_FILE_UNUSABLE with the setting and the file
 */
export async function createApplication(
  module: Type | DynamicModule,
  options: ApplicationOptions,
): Promise<NestExpressApplication> {
  const { isTemporary, renderError = renderPlainText, tls } = options;
  const https = tls && (await HttpsListener.open(tls));
  const { contextPath } = options;
  const adapter = new AnswerAdapter(renderError, https);
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: nestLogger(),
    abortOnError: false,
  });
  app.use(requestContext(optional(app, ClientAddresses, UNTRUSTING)));
  if (contextPath !== '') app.setGlobalPrefix(contextPath);
  const pages = optional<ErrorPages | undefined>(app, ERROR_PAGES, undefined);
  const errors = new RequestErrorsFilter(isTemporary, renderError, pages);
  app.useGlobalFilters(errors);
  if (https !== undefined) app.get(ExpiryWatch, { strict: false }).add(() => https.expiring);
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
const UNTRUSTING = new ClientAddresses(() => NO_PROXIES);

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
