// Encodes LDAP messages of servers in BER, valid and corrupted.
import fc from 'fast-check';

type Content = Buffer | string;

/** @param content text, or encoded elements */
export function element(tag: number, ...content: readonly Content[]): Buffer {
  const inside = Buffer.concat(content.map((part) => Buffer.from(part)));
  const { length } = inside;
  const header = length < 0x80 ? [tag, length] : [tag, 0x83, length >> 16, length >> 8, length];
  return Buffer.concat([Buffer.from(header), inside]);
}

export function integer(tag: number, ...bytes: readonly number[]): Buffer {
  return element(tag, Buffer.from(bytes));
}

export const text = (content: Content): Buffer => element(0x04, content);

/** @param parts the operation, then optional controls */
export function message(id: number, ...parts: readonly Buffer[]): Buffer {
  return element(0x30, integer(0x02, id), ...parts);
}

export function result(tag: number, code: number, ...more: readonly Buffer[]): Buffer {
  return element(tag, integer(0x0a, code), text(''), text(''), ...more);
}

export const bindAnswer = (code: number): Buffer => result(0x61, code);
export const searchDone = (code = 0): Buffer => result(0x65, code);
export const reference = (url: string): Buffer => element(0x73, text(url));

export function attribute(name: string, ...values: readonly Content[]): Buffer {
  return element(0x30, text(name), element(0x31, ...values.map(text)));
}

export function entry(dn: Content, ...attributes: readonly Buffer[]): Buffer {
  return element(0x64, text(dn), element(0x30, ...attributes));
}

export const ALICE = entry('uid=alice,dc=example', attribute('uid', 'alice'));

export function controls(...each: readonly Buffer[]): Buffer {
  return element(0xa0, ...each);
}

/** @param value elements of the password policy response */
export function policyControl(...value: readonly Buffer[]): Buffer {
  return element(0x30, text('1.3.6.1.4.1.42.2.27.8.5.1'), text(element(0x30, ...value)));
}

/** The bytes with some of them changed, removed or inserted. */
export function broken(bytes: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat(bytes.length);
  const edit = fc.oneof(
    fc.record({
      at: place,
      cut: fc.constant(1),
      put: fc.uint8Array({ minLength: 1, maxLength: 1 }),
    }),
    fc.record({ at: place, cut: fc.nat(4), put: fc.uint8Array({ maxLength: 4 }) }),
  );
  return fc.array(edit, { minLength: 1, maxLength: 3 }).map((edits) => {
    let made = bytes;
    for (const { at, cut, put } of edits) {
      made = Buffer.concat([made.subarray(0, at), put, made.subarray(at + cut)]);
    }
    return made;
  });
}
