// The text of the page at `/`.
import type { FrontPage } from '@tessera/server';

export const FRONT_PAGE: FrontPage = {
  title: 'Tessera config server',
  paragraphs: [
    'This is the address of a config server. Applications fetch their settings from it over HTTP, with the calls of ' +
      'Spring Cloud Config.',
  ],
  contextPath: '',
  documents: [
    ['README.md', 'a first call with curl'],
    ['docs/config-server.md', 'every call, the backends and the callers'],
    ['docs/encryption.md', 'secrets among the settings'],
    ['docs/operations.md', 'how to run it'],
  ],
};
