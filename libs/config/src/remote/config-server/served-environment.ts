// Parses and validates the JSON environment of a config server.

/** Numbers are kept as text, at any size. */
type ServedValue = string | boolean | null;

/** One property source of the server, for example a file. */
export interface ServedSource {
  readonly name: string;
  /** By flat key: `a.b`, `c[0]`. */
  readonly properties: ReadonlyMap<string, ServedValue>;
}

/** The strongest source first. */
export type ServedEnvironment = readonly ServedSource[];

/** Undefined if it is not JSON, or JSON of another shape. */
export function parseEnvironment(json: Uint8Array): ServedEnvironment | undefined {
  let parsed: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(json);
    parsed = JSON.parse(text, numbersAsText as (key: string, value: unknown) => unknown);
  } catch {
    // The parser's message is not used: it quotes the text.
    return undefined;
  }
  const sources = isObject(parsed) ? parsed['propertySources'] : undefined;
  if (!Array.isArray(sources)) return undefined;
  const read = sources.map(servedSource);
  return read.every((source) => source !== undefined) ? read : undefined;
}

function servedSource(parsed: unknown): ServedSource | undefined {
  if (!isObject(parsed)) return undefined;
  const { name, source } = parsed;
  if (typeof name !== 'string' || !isObject(source)) return undefined;
  const properties = Object.entries(source);
  return properties.every(isProperty) ? { name, properties: new Map(properties) } : undefined;
}

function isProperty(entry: [string, unknown]): entry is [string, ServedValue] {
  const [, value] = entry;
  return value === null || ['string', 'boolean'].includes(typeof value);
}

function isObject(parsed: unknown): parsed is Readonly<Record<string, unknown>> {
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
}

function numbersAsText(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? (source ?? String(value)) : value;
}
