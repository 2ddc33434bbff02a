// The errors of the operator's API. @see docs/operators-api.md

export interface Violation {
  readonly field: string;
  readonly reason: string;
}

/** An answer that is an error, or none at all (status 0). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly violations: readonly Violation[] = [],
  ) {
    super(detail);
  }

  /** Whether the same request may be answered later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** What a generated call resolves to. */
interface Outcome<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response?: Response | undefined;
}

/** The body of a successful answer. @throws Problem */
export async function answer<T>(call: Promise<Outcome<T>>): Promise<T> {
  return (await taggedAnswer(call)).data;
}

/** The body of a successful answer, with its ETag. @throws Problem */
export async function taggedAnswer<T>(
  call: Promise<Outcome<T>>,
): Promise<{ readonly data: T; readonly tag: string }> {
  const { data, error, response } = await call;
  if (response?.ok) return { data: data as T, tag: response.headers.get('etag') ?? '' };
  throw problemOf(error, response?.status ?? 0);
}

function problemOf(error: unknown, status: number): Problem {
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    const { code, detail, violations } = error as {
      code: unknown;
      detail: unknown;
      violations?: readonly Violation[];
    };
    return new Problem(status, String(code), String(detail), violations);
  }
  const detail = status === 0 ? 'The server does not answer.' : `The server answered ${status}.`;
  return new Problem(status, 'NO_ANSWER', detail);
}
