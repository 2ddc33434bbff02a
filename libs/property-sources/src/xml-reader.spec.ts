import { describe, expect, test } from '@jest/globals';
import { isActive } from './activation.js';
import { readXmlProperties } from './xml-reader.js';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n';
const TYPE = '<!DOCTYPE properties SYSTEM "http://java.sun.com/dtd/properties.dtd">\n';

function valuesOf(content: string | Buffer): Record<string, unknown> {
  const documents = readXmlProperties(Buffer.from(content), 'f.xml');
  const entries = documents.flatMap(({ properties }) => [...properties]);
  return Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
}

describe("the XML of Java's properties gives", () => {
  test.each<[string, string | Buffer, Record<string, string>]>([
    [
      'entries, as Java writes them',
      `${DECLARATION}${TYPE}<properties>\n<comment>a &lt; b</comment>\n<entry key="who">xml</entry>\n<entry key="n">01</entry>\n</properties>\n`,
      { who: 'xml', n: '01' },
    ],
    [
      'entries without a document type',
      '<properties><entry key="a">1</entry></properties>',
      { a: '1' },
    ],
    [
      'entries with a public document type',
      `${TYPE.replace('SYSTEM', "PUBLIC '-//Sun//DTD Properties 1.0//EN'")}<properties><entry key="a">1</entry></properties>`,
      { a: '1' },
    ],
    [
      'text in every form of XML',
      '<properties version="1.0"><entry key="a.b[0]"> x<!-- c -->&amp;&#xe9;<![CDATA[<y>]]>\r\nz </entry><entry key="e"/></properties>',
      { 'a.b[0]': ' x&é<y>\nz ', e: '' },
    ],
    [
      'the last value of a key',
      '<properties><entry key="a">1</entry><entry key="a">2</entry></properties>',
      { a: '2' },
    ],
    [
      'text in the encoding that is declared',
      Buffer.from(
        '<?xml version="1.0" encoding="ISO-8859-1"?><properties><entry key="ö">ü</entry></properties>',
        'latin1',
      ),
      { ö: 'ü' },
    ],
    [
      'text in the encoding of the byte order mark',
      Buffer.from(
        '\ufeff<?xml version="1.0" encoding="UTF-16"?><properties><entry key="ö">ü</entry></properties>',
        'utf16le',
      ),
      { ö: 'ü' },
    ],
    ['nothing without entries', `${TYPE}<properties/>`, {}],
  ])('%s', (_what, content, expected) => {
    expect(valuesOf(content)).toEqual(expected);
  });

  test('a document for the profiles that it names', () => {
    const text =
      '<properties><entry key="spring.config.activate.on-profile">prod</entry></properties>';
    const [document] = readXmlProperties(Buffer.from(text), 'f.xml');
    expect(document && [isActive(document, ['prod']), isActive(document, ['dev'])]).toEqual([
      true,
      false,
    ]);
  });
});

const OTHER = "is not the XML of Java's properties: <properties> with <entry key=…>";
const OTHER_TYPE = "has another document type than that of Java's properties";
const LAUGHS = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`).join('');

describe('is refused, with the line and without a word of the text:', () => {
  test.each<[string, string | Buffer, string]>([
    [
      'an entity of its own',
      `<!DOCTYPE properties [<!ENTITY e "geheim">]>\n<properties/>`,
      `line 1: ${OTHER_TYPE}`,
    ],
    [
      'an entity of a file',
      '<!DOCTYPE properties [<!ENTITY e SYSTEM "file:///etc/passwd">]><properties/>',
      `line 1: ${OTHER_TYPE}`,
    ],
    [
      'entities that multiply',
      `<!DOCTYPE properties [<!ENTITY l0 "ha">${LAUGHS}]><properties/>`,
      `line 1: ${OTHER_TYPE}`,
    ],
    [
      'a parameter entity',
      '<!DOCTYPE properties SYSTEM "x" [<!ENTITY % e SYSTEM "http://127.0.0.1/">%e;]><properties/>',
      `line 1: ${OTHER_TYPE}`,
    ],
    ['another document type', '<!DOCTYPE html><properties/>', `line 1: ${OTHER_TYPE}`],
    [
      'an entity that is not declared',
      '<properties>\n<entry key="a">&geheim;</entry></properties>',
      'line 2: is not well-formed XML',
    ],
    [
      'an element that is not closed',
      '<properties><entry key="a">geheim',
      'line 1: is not well-formed XML',
    ],
    ['nothing', '', 'line 1: is not well-formed XML'],
    ['another root', '<configuration>geheim</configuration>', `line 1: ${OTHER}`],
    [
      'another element',
      '<properties>\n<item key="a">geheim</item></properties>',
      `line 2: ${OTHER}`,
    ],
    [
      'an entry without a key',
      '<properties><entry>geheim</entry></properties>',
      `line 1: ${OTHER}`,
    ],
    [
      'an element in an entry',
      '<properties><entry key="a"><b>geheim</b></entry></properties>',
      `line 1: ${OTHER}`,
    ],
    [
      'an encoding that is not known',
      '<?xml version="1.0" encoding="x-geheim"?><properties/>',
      'line 1: is not text of its encoding',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from('<properties><entry key="a">ü</entry></properties>', 'latin1'),
      'line 1: is not UTF-8',
    ],
    [
      'more content than a file may have',
      `<properties><entry key="a">${'x'.repeat(2_100_000)}</entry></properties>`,
      'line 1: comes to more than 2 Mi characters of keys and values: split it',
    ],
  ])('%s', (_what, content, message) => {
    expect(() => readXmlProperties(Buffer.from(content), 'f.xml')).toThrow(
      expect.objectContaining({ code: 'SOURCE_UNREADABLE', message: `f.xml, ${message}` }),
    );
  });
});
