// Reads the XML form of Java's properties. @see java.util.Properties.loadFromXML
import { SaxesParser, type SaxesTag } from 'saxes';
import { withActivation } from './activation.js';
import { ContentBudget, ENTRY_SIZE } from './content-budget.js';
import type { PropertyDocument } from './property-document.js';
import { PropertySourceError } from './property-source-error.js';
import { SourceText } from './source-text.js';

const ENCODING = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;
/** The line that Java writes, and others that name the type. Nothing is fetched from its address; declarations of entities would follow in brackets. */
const DOCUMENT_TYPE =
  /^\s*properties(?:\s+(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))\s+(?:"[^"]*"|'[^']*'))?\s*$/;
const OTHER_TYPE = "has another document type than that of Java's properties";
const NOT_PROPERTIES = "is not the XML of Java's properties: <properties> with <entry key=…>";

/**
 * The document of a file; none without entries. Values are texts, and have no origin. The last value of a repeated key
 * counts. The caller limits the size of the file.
 *
 * @param name of the file, for errors
 * @throws PropertySourceError SOURCE_UNREADABLE for other XML, a document type with declarations, an entity that is not
 *   XML's own, an invalid profile expression, or too much content
 */
export function readXmlProperties(content: Buffer, name: string): PropertyDocument[] {
  const source = new SourceText(decoded(content, name), name);
  const entries = xmlEntries(source);
  const properties = new Map(entries.map(({ key, value }) => [key, { value }]));
  return properties.size === 0 ? [] : withActivation([properties], source);
}

/** The value of an entry; the offsets are those of its serialised form. */
export interface XmlEntry {
  readonly key: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** @throws PropertySourceError SOURCE_UNREADABLE */
export function xmlEntries(source: SourceText): readonly XmlEntry[] {
  return new XmlReader(source).read();
}

class XmlReader {
  readonly #parser = new SaxesParser({ position: true });
  readonly #entries: XmlEntry[] = [];
  readonly #path: string[] = [];
  readonly #budget: ContentBudget;
  #entry: { readonly key: string; readonly start: number; value: string } | undefined;

  constructor(private readonly source: SourceText) {
    this.#budget = new ContentBudget(source);
    this.#parser.on('doctype', (type) => {
      if (!DOCUMENT_TYPE.test(type)) throw this.#error(OTHER_TYPE);
    });
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('closetag', () => this.#close());
    this.#parser.on('text', (text) => this.#append(text));
    this.#parser.on('cdata', (text) => this.#append(text));
  }

  read(): readonly XmlEntry[] {
    try {
      this.#parser.write(this.source.text).close();
    } catch (error) {
      if (error instanceof PropertySourceError) throw error;
      throw this.#error('is not well-formed XML');
    }
    return this.#entries;
  }

  #open({ name, attributes }: SaxesTag): void {
    this.#path.push(name);
    const path = this.#path.join('/');
    if (path === 'properties' || path === 'properties/comment') return;
    const { key } = attributes;
    if (path !== 'properties/entry' || typeof key !== 'string') throw this.#error(NOT_PROPERTIES);
    this.#entry = { key, start: this.#parser.position, value: '' };
  }

  #close(): void {
    this.#path.pop();
    if (this.#entry === undefined) return;
    const { key, start, value } = this.#entry;
    const end = Math.max(start, this.source.text.lastIndexOf('</', this.#parser.position - 1));
    this.#budget.spend(start, ENTRY_SIZE + key.length + value.length);
    this.#entries.push({ key, value, start, end });
    this.#entry = undefined;
  }

  #append(text: string): void {
    if (this.#entry) this.#entry.value += text;
  }

  #error(reason: string): PropertySourceError {
    return new PropertySourceError(this.source.name, this.#parser.line, reason);
  }
}

/** By the byte order mark, else by the XML declaration, else UTF-8. */
function decoded(content: Buffer, name: string): string {
  const declared = ENCODING.exec(content.toString('latin1', 0, 1024))?.[1];
  try {
    return new TextDecoder(byteOrderMark(content) ?? declared, { fatal: true }).decode(content);
  } catch {
    throw new PropertySourceError(
      name,
      1,
      `is not ${declared === undefined ? 'UTF-8' : 'text of its encoding'}`,
    );
  }
}

function byteOrderMark(content: Buffer): string | undefined {
  switch (content.toString('hex', 0, 2)) {
    case 'fffe':
      return 'utf-16le';
    case 'feff':
      return 'utf-16be';
    default:
      return undefined;
  }
}
