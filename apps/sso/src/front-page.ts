// The text of the page at the base URL.
import type { FrontPage } from '@tessera/server';

export function frontPage(contextPath: string): FrontPage {
  return {
    title: 'Tessera SSO',
    paragraphs: [
      'This is the address of a single sign-on ticket service. Programs call it over HTTP: users log in over REST, ' +
        'and applications validate tickets.',
      'There is no login page in this version.',
    ],
    contextPath,
    documents: [
      ['README.md', 'a first login with curl'],
      ['docs/protocol.md', 'every call and its answers'],
      ['docs/clients.md', 'applications and client libraries'],
      ['docs/operations.md', 'how to run it'],
    ],
  };
}
