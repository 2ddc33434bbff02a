import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.js';
import { attributesWithoutXmlName, cas1, json, xml } from './renderers.js';
import { escapeText, isLocalName } from '../protocol/xml.js';

const NOBODY = { user: 'u', attributes: undefined, proxies: [] };

describe('CAS 1', () => {
  test('says yes and the user', () => {
    expect(cas1.success(NOBODY)).toBe('yes\nu\n');
    expect(cas1.type).toBe('text/plain;charset=UTF-8');
  });

  test('says no', () => {
    expect(cas1.failure({ code: 'INVALID_TICKET', description: 'x' })).toBe('no\n\n');
  });

  test('keeps a user to one line', () => {
    expect(cas1.success({ ...NOBODY, user: 'a\r\nyes\nb' })).toBe('yes\nayesb\n');
  });
});

describe('XML', () => {
  test('of a success with everything', () => {
    const success = {
      user: 'u',
      attributes: { mail: ['a', 'b'], sn: ['x'] },
      pgtIou: 'PGTIOU-1',
      proxies: ['https://p2', 'https://p1'],
    };
    expect(xml.success(success)).toBe(
      `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationSuccess>
        <cas:user>u</cas:user>
        <cas:attributes>
            <cas:mail>a</cas:mail>
            <cas:mail>b</cas:mail>
            <cas:sn>x</cas:sn>
        </cas:attributes>
        <cas:proxyGrantingTicket>PGTIOU-1</cas:proxyGrantingTicket>
        <cas:proxies>
            <cas:proxy>https://p2</cas:proxy>
            <cas:proxy>https://p1</cas:proxy>
        </cas:proxies>
    </cas:authenticationSuccess>
</cas:serviceResponse>
`,
    );
    expect(xml.type).toBe('application/xml;charset=UTF-8');
  });

  test('of a success without attributes has no element for them', () => {
    expect(xml.success(NOBODY)).toBe(
      `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationSuccess>
        <cas:user>u</cas:user>
    </cas:authenticationSuccess>
</cas:serviceResponse>
`,
    );
  });

  test('of a failure', () => {
    expect(
      xml.failure({ code: 'INVALID_TICKET', description: `Ticket '<"&>' not recognized` }),
    ).toBe(
      `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>
    <cas:authenticationFailure code="INVALID_TICKET">Ticket '&lt;"&amp;&gt;' not recognized</cas:authenticationFailure>
</cas:serviceResponse>
`,
    );
  });

  test.each([
    ['markup', '<a href="x">&amp;</a>', '&lt;a href="x"&gt;&amp;amp;&lt;/a&gt;'],
    ['the end of a CDATA section', ']]>', ']]&gt;'],
    ['control characters XML cannot hold', 'a\0\u0008\u000b\u001b\u001fb', 'ab'],
    ['half surrogate pairs', '\ud800a\udfff', 'a'],
    ['noncharacters', 'a\ufffe\uffffb', 'ab'],
    ['tab and line feed', 'a\t\nb', 'a\t\nb'],
    ['a carriage return', 'a\rb', 'a&#13;b'],
    ['characters beyond the basic plane', '😀', '😀'],
  ])('escapes or drops %s', (_, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test('of any text holds no markup but its own', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const escaped = escapeText(text);
        expect(escaped).not.toMatch(/[<>]|&(?!(amp|lt|gt|#13);)/);
        expect(escaped.isWellFormed()).toBe(true);
      }),
    );
  });

  test.each(['mail', '_x', 'é', 'a-b.c1', 'ünicode', '名前', '𐀀'])(
    'names an element %s',
    (name) => {
      expect(isLocalName(name)).toBe(true);
    },
  );

  test.each(['', '1a', '-a', 'a b', 'a:b', 'a>', 'urn:oid:1', 'a/b', '@', '$', '·a', 'a\n'])(
    'omits the attribute %j',
    (name) => {
      expect(isLocalName(name)).toBe(false);
      expect(xml.success({ ...NOBODY, attributes: { [name]: ['x'] } })).not.toContain('x</');
      expect(attributesWithoutXmlName([name, 'mail'])).toEqual([name]);
    },
  );
});

describe('JSON', () => {
  test('of a success omits absent members', () => {
    expect(json.success({ ...NOBODY, attributes: { mail: ['a'] } })).toBe(
      '{"serviceResponse":{"authenticationSuccess":{"user":"u","attributes":{"mail":["a"]}}}}',
    );
    expect(json.success(NOBODY)).toBe('{"serviceResponse":{"authenticationSuccess":{"user":"u"}}}');
    expect(json.type).toBe('application/json');
  });

  test('of a proxied success names the proxies', () => {
    expect(json.success({ ...NOBODY, proxies: ['https://p'] })).toBe(
      '{"serviceResponse":{"authenticationSuccess":{"user":"u","proxies":["https://p"]}}}',
    );
  });

  test('of a failure', () => {
    expect(json.failure({ code: 'INVALID_TICKET', description: `Ticket 'x' not recognized` })).toBe(
      `{"serviceResponse":{"authenticationFailure":{"code":"INVALID_TICKET","description":"Ticket 'x' not recognized"}}}`,
    );
  });
});
