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
  /** A name and its value by turns. */
  private constructor(private readonly parameters: readonly string[]) {}

  /** @throws RequestError MALFORMED_REQUEST: bad percent-encoding, bytes that are no UTF-8, too many parameters */
  static parse(encoded: string): Form {
    const parameters: string[] = [];
    for (const part of encoded === '' ? [] : encoded.split('&')) {
      if (part === '') continue;
      if (parameters.length === MOST_PARAMETERS * 2) {
        throw malformed(`more than ${MOST_PARAMETERS} parameters`);
      }
      const equals = part.indexOf('=');
      parameters.push(
        decode(equals < 0 ? part : part.slice(0, equals)),
        equals < 0 ? '' : decode(part.slice(equals + 1)),
      );
    }
    return new Form(parameters);
  }

  /** Whether the parameter was given, with whatever value. */
  has(name: string): boolean {
    return this.place(name) >= 0;
  }

  /**
   * The one value of a parameter; undefined where it is absent.
   * @throws RequestError MALFORMED_REQUEST where it is given more than once
   */
  one(name: string): string | undefined {
    const place = this.place(name);
    if (place < 0) return undefined;
    if (this.place(name, place + 2) >= 0) throw malformed(`${name} is given more than once`);
    return this.parameters[place + 1];
  }

  /** The value of a parameter that is given once, well formed or not; undefined otherwise. */
  sole(name: string): string | undefined {
    const place = this.place(name);
    const isSole = place >= 0 && this.place(name, place + 2) < 0;
    return isSole ? this.parameters[place + 1] : undefined;
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
    const others = new Map<string, string[]>();
    for (let place = 0; place < this.parameters.length; place += 2) {
      const [name = '', value = ''] = this.parameters.slice(place, place + 2);
      if (names.includes(name)) continue;
      const values = others.get(name);
      if (values === undefined) others.set(name, [value]);
      else values.push(value);
    }
    return others;
  }

  /** Of the first parameter so named, from a place on; -1 where there is none. */
  private place(name: string, from = 0): number {
    for (let place = from; place < this.parameters.length; place += 2) {
      if (this.parameters[place] === name) return place;
    }
    return -1;
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
  return Form.parse(toText(await readBody(request, FORM_LIMIT)));
}

/** The entity as text, still encoded. @throws RequestError BODY_TOO_LARGE, MALFORMED_REQUEST */
export async function readFormText(request: IncomingMessage): Promise<string> {
  return toText(await readBody(request, FORM_LIMIT));
}

/** The query as it came, still encoded, without the question mark. */
export function queryText(request: IncomingMessage): string {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

function toText(body: Buffer): string {
  if (!isUtf8(body)) throw malformed('the body is not UTF-8');
  return body.toString('utf8');
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
