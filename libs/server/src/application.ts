// Owns making a Nest application on Express as lean as ours needs it. Routes and features are the applications'.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { nestLogger } from '@tessera/logging';
import { send } from './answer.js';
import { LeanExpressAdapter } from './express-adapter.js';
import type { ExpiryWatch } from './health/expiry-watch.js';
import {
  inPlainText,
  NOT_FOUND,
  RequestErrorsFilter,
  type FaultWording,
  type IsTemporary,
} from './request-errors.filter.js';
import { HttpsListener } from './tls/https-listener.js';
import type { TlsOptions } from './tls/tls-options.js';

export interface ApplicationOptions {
  /** Path all routes lie below, such as `/cas`; empty for none. */
  readonly contextPath: string;
  readonly isTemporary: IsTemporary;
  /** Of faults that no filter of the application's own has worded; plain text unless told. */
  readonly wording?: FaultWording;
  /** Present where it is to speak HTTPS, and that alone. */
  readonly tls?: TlsOptions | undefined;
  /** Watches the certificates of `tls`. */
  readonly expiries?: ExpiryWatch;
}

/**
 * Creates the application without listening. Bodies are read by the routes that take them, so none is parsed here;
 * nothing is added to answers.
 * @throws ServerError TLS_FILE_UNUSABLE, naming the setting and the file
 */
export async function createApplication(
  module: Type | DynamicModule,
  options: ApplicationOptions,
): Promise<NestExpressApplication> {
  const { isTemporary, wording = inPlainText, tls, expiries } = options;
  const https = tls && (await HttpsListener.open(tls));
  if (https !== undefined) expiries?.add(() => https.expiring);
  const adapter = new LeanExpressAdapter(wording, https);
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: nestLogger(),
    abortOnError: false,
  });
  if (options.contextPath !== '') app.setGlobalPrefix(options.contextPath);
  app.useGlobalFilters(new RequestErrorsFilter(isTemporary, wording));
  await app.init();
  app.use((request: IncomingMessage, response: ServerResponse) => {
    // Outside the context path Nest has no route, and Express would answer with a page of its own.
    send(response, wording(NOT_FOUND, request));
  });
  return app;
}
