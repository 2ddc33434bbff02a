// The text of the page at `/`.
import type { FrontPage } from '@tessera/server';

export const FRONT_PAGE: FrontPage = {
  title: 'Tessera config server',
  paragraphs: [
    'This is the address of a config server. Applications fetch their settings from it over HTTP, with the calls of ' +
      'Spring Cloud Config.',
  ],
  contextPath: '',
  // Its callers are programs: it has no URL for browsers.
  baseUrl: '',
};
