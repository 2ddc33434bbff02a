// The answers of routes: status, media types and headers.
import { ApiResponse } from '@nestjs/swagger';
import type { Schema } from './describe.js';

export interface Content {
  readonly [mediaType: string]: {
    readonly schema: Schema;
    readonly example?: unknown;
    readonly examples?: Readonly<
      Record<string, { readonly summary: string; readonly value: unknown }>
    >;
  };
}

type Header = keyof typeof HEADERS;

/** The headers of answers; the documents have them once, in `components`. */
export const HEADERS = {
  'Cache-Control': header('Answers are not stored, or only with validation.', 'no-store'),
  'X-Content-Type-Options': header('Browsers do not guess the type.', 'nosniff'),
  'Retry-After': header('Seconds until another attempt makes sense.', '2', '^[0-9]+$'),
  'WWW-Authenticate': header('The schemes by which a caller may authenticate.'),
  'Content-Security-Policy': header('What the page may load.'),
  'Content-Language': header('The language of the page.', 'en'),
  'Referrer-Policy': header('Links tell no other site where they come from.', 'no-referrer'),
  'X-Frame-Options': header('No other site may frame the page.', 'DENY'),
  'Strict-Transport-Security': {
    ...header('Where the base URL is https: browsers use nothing else.', 'max-age=31536000'),
    required: false,
  },
  Location: header('Where the browser or the client goes next.'),
  ETag: header('Changes with the answer; for `If-None-Match`.', '"x"', '^(W/)?".*"$'),
  'Last-Modified': header('The time of the last change of the file.'),
  Vary: header('The request header that selects the form.', 'Accept'),
} as const;

function header(description: string, example?: string, pattern?: string) {
  const schema = { type: 'string', ...(pattern !== undefined && { pattern }) } as const;
  return { description, required: true, schema, ...(example !== undefined && { example }) };
}

const ON_ALL: readonly Header[] = ['Cache-Control', 'X-Content-Type-Options'];
/** On every HTML answer. */
export const ON_HTML: readonly Header[] = [
  ...ON_ALL,
  'Content-Security-Policy',
  'Referrer-Policy',
  'X-Frame-Options',
  'Strict-Transport-Security',
];

export const TEXT_TYPE = 'text/plain';

/** Text without further rules. */
export const ANY_TEXT: Schema = { type: 'string' };

/** @param headers besides those that all answers have */
export function answer(
  status: number,
  description: string,
  content: Content,
  ...headers: readonly Header[]
): MethodDecorator {
  return response(status, description, content, [...ON_ALL, ...headers]);
}

/** An answer of plain text. */
export function plain(
  status: number,
  description: string,
  ...headers: readonly Header[]
): MethodDecorator {
  return answer(status, description, { [TEXT_TYPE]: { schema: ANY_TEXT } }, ...headers);
}

/** An answer of plain text whose form is known. */
export function text(status: number, description: string, example: string): MethodDecorator {
  return answer(status, description, { [TEXT_TYPE]: { schema: ANY_TEXT, example } });
}

/** An HTML page for browsers. */
export function page(
  status: number,
  description: string,
  ...headers: readonly Header[]
): MethodDecorator {
  return response(status, description, { 'text/html': { schema: ANY_TEXT } }, [
    ...ON_HTML,
    'Content-Language',
    ...headers,
  ]);
}

/** An answer with exactly these headers. */
export function response(
  status: number,
  description: string,
  content: Content | undefined,
  headers: readonly Header[],
): MethodDecorator {
  return ApiResponse({
    status,
    description,
    ...(content && { content: { ...content } }),
    headers: Object.fromEntries(
      headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
  });
}

interface Link {
  readonly operationId: string;
  /** Runtime expressions by parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The requests that take parameters from the answer with this status. */
export function links(status: number, targets: Readonly<Record<string, Link>>): MethodDecorator {
  return ApiResponse({ status, links: { ...targets } });
}

/** The error answers of an application, in the format of its protocol. */
export type ErrorAnswer = (
  status: number,
  description: string,
  ...headers: readonly Header[]
) => MethodDecorator;

/** The errors of the server itself, which every route of an application may have. */
export function serverErrors(error: ErrorAnswer): readonly MethodDecorator[] {
  return [
    error(500, 'An error in the server. Its cause is in the log.'),
    error(503, 'Temporarily unavailable: the same request may succeed later.', 'Retry-After'),
  ];
}
