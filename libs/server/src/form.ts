// Owns reading form-encoded parameters strictly: what is not well formed is refused, never guessed at.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { declaresForm, readBody } from './body.js';
import { RequestError } from './request-error.js';

/** The largest form entity, in bytes. */
const FORM_LIMIT = 64 * 1024;
const MOST_PARAMETERS = 1_000;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The parameters of a request, by name, in the order they came. */
export class Form {
  private constructor(private readonly parameters: ReadonlyMap<string, readonly string[]>) {}

  /** @throws RequestError MALFORMED_REQUEST: bad percent-encoding, bytes that are no UTF-8, too many parameters */
  static parse(...encoded: readonly string[]): Form {
    const parameters = new Map<string, string[]>();
    let count = 0;
    for (const part of encoded.join('&').split('&')) {
      if (part === '') continue;
      if ((count += 1) > MOST_PARAMETERS) {
        throw malformed(`more than ${MOST_PARAMETERS} parameters`);
      }
      const equals = part.indexOf('=');
      const name = decode(equals < 0 ? part : part.slice(0, equals));
      const value = equals < 0 ? '' : decode(part.slice(equals + 1));
      const values = parameters.get(name);
      if (values === undefined) parameters.set(name, [value]);
      else values.push(value);
    }
    return new Form(parameters);
  }

  /** Whether the parameter was given, with whatever value. */
  has(name: string): boolean {
    return this.parameters.has(name);
  }

  /**
   * The one value of a parameter; undefined where it is absent.
   * @throws RequestError MALFORMED_REQUEST where it is given more than once
   */
  one(name: string): string | undefined {
    const values = this.parameters.get(name);
    if (values !== undefined && values.length > 1) {
      throw malformed(`${name} is given more than once`);
    }
    return values?.[0];
  }

  /** The value of a parameter that is given once, well formed or not; undefined otherwise. */
  sole(name: string): string | undefined {
    const values = this.parameters.get(name);
    return values?.length === 1 ? values[0] : undefined;
  }

  /**
   * As `one`, for values that are a line of text.
   * @throws RequestError MALFORMED_REQUEST also where it holds control characters or more than `longest` characters
   */
  line(name: string, longest: number): string | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    if (CONTROL.test(value)) throw malformed(`${name} contains control characters`);
    if (value.length > longest) throw malformed(`${name} is longer than ${longest} characters`);
    return value;
  }

  /** All parameters but those named. */
  except(...names: readonly string[]): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.parameters].filter(([name]) => !names.includes(name)));
  }
}

/**
 * Reads the form a request declares and carries.
 * @throws RequestError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, MALFORMED_REQUEST
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  if (!declaresForm(request)) {
    throw new RequestError('UNSUPPORTED_MEDIA_TYPE', 'a form is required as the request entity');
  }
  return Form.parse(await readFormText(request));
}

/** The entity as text, still encoded. @throws RequestError BODY_TOO_LARGE, MALFORMED_REQUEST */
export async function readFormText(request: IncomingMessage): Promise<string> {
  const body = await readBody(request, FORM_LIMIT);
  if (!isUtf8(body)) throw malformed('the body is not UTF-8');
  return body.toString('utf8');
}

/** The query as it came, still encoded, without the question mark. */
export function queryText(request: IncomingMessage): string {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw malformed('a parameter is not well-formed percent-encoded UTF-8');
  }
}

function malformed(message: string): RequestError {
  return new RequestError('MALFORMED_REQUEST', message);
}
