// Puts load on a server: whole sessions from login to logout, with every answer compared with the one that is due.
import { type Call, http } from '../support/http.js';

const APP = 'https://app.example.org/';
const CREDENTIALS = { username: 'casuser', password: 'Mellon' };
const TICKETS_PER_SESSION = 3;
const PARALLEL = 4;

/** Every request has a connection of its own, so a balancer spreads each session over all nodes. */
export class SessionLoad {
  /** Requests that were answered as they should. */
  requests = 0;
  /** Complete ones. */
  sessions = 0;
  /** Requests that were refused, failed or not answered. */
  readonly failures: string[] = [];
  private isStopping = false;
  private workers: readonly Promise<void>[] = [];

  /** @param url of the server, without its context path */
  constructor(private readonly url: string) {}

  /** Tries one session, whose failures do not count; begins with it if it succeeds. @returns whether it has begun */
  async begin(): Promise<boolean> {
    await this.run();
    const hasFailed = this.failures.splice(0).length > 0;
    if (!hasFailed) this.workers = Array.from({ length: PARALLEL }, () => this.work());
    return !hasFailed;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.workers);
  }

  private async work(): Promise<void> {
    while (!this.isStopping) await this.run();
  }

  private async run(): Promise<void> {
    const tgt = await this.expect({ status: 201 }, 'POST', '/v1/tickets', {
      form: CREDENTIALS,
      headers: { accept: 'text/plain' },
    });
    if (tgt === undefined) return;
    const session = `/v1/tickets/${tgt}`;
    for (let turn = 0; turn < TICKETS_PER_SESSION; turn += 1) await this.useTicket(session);
    await this.expect({ status: 200 }, 'DELETE', session);
    await this.expect({ status: 404 }, 'GET', session);
    this.sessions += 1;
  }

  /** Grants a ticket, validates it, and validates it once more, which is refused. */
  private async useTicket(session: string): Promise<void> {
    const ticket = await this.expect({ status: 200 }, 'POST', session, { form: { service: APP } });
    if (ticket === undefined) return;
    const validation = `/p3/serviceValidate?service=${encodeURIComponent(APP)}&ticket=${ticket}`;
    await this.expect({ status: 200, text: '<cas:user>casuser</cas:user>' }, 'GET', validation);
    await this.expect({ status: 400, text: 'code="INVALID_TICKET"' }, 'GET', validation);
  }

  /** @returns the body; undefined after a failure */
  private async expect(
    due: { readonly status: number; readonly text?: string },
    method: string,
    path: string,
    call: Call = {},
  ): Promise<string | undefined> {
    const { status, body } = await http(method, this.url, `/cas${path}`, call).catch(
      (error: unknown) => ({ status: 0, body: String(error) }),
    );
    if (status === due.status && body.includes(due.text ?? '')) {
      this.requests += 1;
      return body;
    }
    this.failures.push(`${method} ${path}: ${status} ${body}`);
    return undefined;
  }
}
