// A browser without a screen: it keeps the session cookie and fills in login forms. Redirects are not followed.
import { http, type Reply } from './http.js';

export const GOOD = { username: 'casuser', password: 'Mellon' };

type Fields = Readonly<Record<string, string>>;

/** A form of a page. */
export interface LoginForm {
  /** Path below the base URL, with the query. */
  readonly action: string;
  readonly execution: string;
}

export class Browser {
  /** The value of the cookie TGC. */
  cookie: string | undefined;

  /** @param url base URL of the SSO application */
  constructor(private readonly url: string) {}

  get(path: string, headers: Fields = {}): Promise<Reply> {
    return this.send('GET', path, headers);
  }

  post(path: string, form: Fields, headers: Fields = {}): Promise<Reply> {
    return this.send('POST', path, headers, form);
  }

  /** The form of the page at a path. */
  async form(path: string): Promise<LoginForm> {
    return formIn(await this.get(path));
  }

  submit({ action, execution }: LoginForm, fields: Fields = GOOD): Promise<Reply> {
    return this.post(action, { execution, _eventId: 'submit', ...fields });
  }

  /** Opens the form at a path and sends it. */
  async login(path = '/login', fields: Fields = GOOD): Promise<Reply> {
    return this.submit(await this.form(path), fields);
  }

  private async send(method: string, path: string, headers: Fields, form?: Fields): Promise<Reply> {
    const reply = await http(method, this.url, path, {
      headers: { ...(this.cookie && { cookie: `TGC=${this.cookie}` }), ...headers },
      ...(form && { form }),
    });
    const set = /^TGC=([^;]*)/.exec(reply.headers['set-cookie']?.[0] ?? '');
    if (set) this.cookie = set[1] || undefined;
    return reply;
  }
}

/** The form of a page. */
export function formIn({ status, body }: Reply): LoginForm {
  const action = /<form method="post" action="\/cas([^"]*)"/.exec(body)?.[1];
  const execution = /name="execution" value="([^"]*)"/.exec(body)?.[1];
  if (action === undefined || execution === undefined) {
    throw new Error(`${status}, no form: ${body}`);
  }
  return { action: action.replaceAll('&amp;', '&'), execution };
}

/** The path of the login page for a service. */
export function loginPath(service: string, others: Fields = {}): string {
  return `/login?${new URLSearchParams({ service, ...others }).toString()}`;
}

/** The ticket in the address that an answer redirects to. */
export function ticketIn({ status, headers, body }: Reply): string {
  const ticket = /[?&](?:ticket|SAMLart)=(ST-[A-Za-z0-9-]+)/.exec(headers.location ?? '')?.[1];
  if (status !== 302 || ticket === undefined) throw new Error(`${status}, no ticket: ${body}`);
  return ticket;
}
