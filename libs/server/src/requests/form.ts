// Parses form-encoded parameters strictly: malformed ones are refused.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { declaresForm, readBody } from './body.js';
import { RequestError } from '../errors/errors.js';

const MAX_FORM_BYTES = 64 * 1024;
const MAX_PARAMETERS = 1_000;
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The parameters of a request, in their order. */
export class Form {
  /** Names and values alternate. */
  private constructor(private readonly parameters: readonly string[]) {}

  /** @throws RequestError MALFORMED_REQUEST: bad percent-encoding, invalid UTF-8, too many parameters */
  static parse(encoded: string): Form {
    const parameters: string[] = [];
    for (const part of encoded === '' ? [] : encoded.split('&')) {
      if (part === '') continue;
      if (parameters.length === MAX_PARAMETERS * 2) {
        throw malformed(`more than ${MAX_PARAMETERS} parameters`);
      }
      const equals = part.indexOf('=');
      parameters.push(
        decode(equals < 0 ? part : part.slice(0, equals)),
        equals < 0 ? '' : decode(part.slice(equals + 1)),
      );
    }
    return new Form(parameters);
  }

  /** Whether the parameter is present, with any value. */
  has(name: string): boolean {
    return this.index(name) >= 0;
  }

  /**
   * The value of a parameter; undefined where it is absent.
   * @throws RequestError MALFORMED_REQUEST if it is given more than once
   */
  one(name: string): string | undefined {
    const indexOf = this.index(name);
    if (indexOf < 0) return undefined;
    if (this.index(name, indexOf + 2) >= 0) throw malformed(`${name} is given more than once`);
    return this.parameters[indexOf + 1];
  }

  /** The value of a parameter that is given exactly once; undefined otherwise. */
  onlyValue(name: string): string | undefined {
    const index = this.index(name);
    const isOnly = index >= 0 && this.index(name, index + 2) < 0;
    return isOnly ? this.parameters[index + 1] : undefined;
  }

  /**
   * As `one`, for a single line of text.
   * @throws RequestError MALFORMED_REQUEST also for control characters and more than `maxLength` characters
   */
  line(name: string, maxLength: number): string | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    if (CONTROL.test(value)) throw malformed(`${name} contains control characters`);
    if (value.length > maxLength) throw malformed(`${name} is longer than ${maxLength} characters`);
    return value;
  }

  /** All parameters except those named. */
  except(...names: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const others = new Map<string, string[]>();
    for (let index = 0; index < this.parameters.length; index += 2) {
      const [name = '', value = ''] = this.parameters.slice(index, index + 2);
      if (names.includes(name)) continue;
      const values = others.get(name);
      if (values === undefined) others.set(name, [value]);
      else values.push(value);
    }
    return others;
  }

  /** The index of the first parameter of that name, from `from` on; -1 where there is none. */
  private index(name: string, from = 0): number {
    for (let index = from; index < this.parameters.length; index += 2) {
      if (this.parameters[index] === name) return index;
    }
    return -1;
  }
}

/**
 * Reads a form from the request body.
 * @throws RequestError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, MALFORMED_REQUEST
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  if (!declaresForm(request)) {
    throw new RequestError('UNSUPPORTED_MEDIA_TYPE', 'a form is required as the request entity');
  }
  return Form.parse(toText(await readBody(request, MAX_FORM_BYTES)));
}

/** The body as text, still encoded. @throws RequestError BODY_TOO_LARGE, MALFORMED_REQUEST */
export async function readFormText(request: IncomingMessage): Promise<string> {
  return toText(await readBody(request, MAX_FORM_BYTES));
}

/** The query, still encoded, without the question mark. */
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
  const withSpaces = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!withSpaces.includes('%')) return withSpaces;
  try {
    return decodeURIComponent(withSpaces);
  } catch {
    throw malformed('a parameter is not well-formed percent-encoded UTF-8');
  }
}

function malformed(message: string): RequestError {
  return new RequestError('MALFORMED_REQUEST', message);
}
