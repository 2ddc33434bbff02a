// Writes key stores in Java's format JKS, also such as keytool never writes.
import { hash } from 'node:crypto';

/** The identifier of the algorithm that seals keys, in DER. */
export const ALGORITHM = '300e060a2b060104012a021101010500';
export const PASSWORD = 'changeit';

export interface JksEntry {
  readonly alias: string;
  /** In PKCS#8; without one, the entry is a certificate. */
  readonly key?: Uint8Array;
}

interface Form {
  readonly version?: number;
  readonly keyPassword?: string;
  readonly algorithm?: string;
}

const sha1 = (...parts: readonly Uint8Array[]) => hash('sha1', Buffer.concat(parts), 'buffer');
const utf16 = (password: string) => Buffer.from(password, 'utf16le').swap16();

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length).subarray(2), bytes]);
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const digits = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...digits]), content]);
}

function sealed(key: Uint8Array, password: string): Buffer {
  const salt = Buffer.alloc(20, 7);
  const masks: Buffer[] = [];
  for (let block = salt; masks.length * 20 < key.length; masks.push(block)) {
    block = sha1(utf16(password), block);
  }
  const mask = Buffer.concat(masks);
  const hidden = Buffer.from(key.map((byte, index) => byte ^ (mask[index] ?? 0)));
  return Buffer.concat([salt, hidden, sha1(utf16(password), key)]);
}

function keyEntry(
  key: Uint8Array,
  { keyPassword = PASSWORD, algorithm = ALGORITHM }: Form,
): Buffer {
  const info = [Buffer.from(algorithm, 'hex'), der(0x04, sealed(key, keyPassword))];
  return der(0x30, Buffer.concat(info));
}

function entryBytes({ alias, key }: JksEntry, form: Form): Buffer {
  const type = form.version === 1 ? [] : [text('X.509')];
  const certificate = [...type, uint32(3), Buffer.from('DER')];
  const head = [uint32(key ? 1 : 2), text(alias), Buffer.alloc(8)];
  if (key === undefined) return Buffer.concat([...head, ...certificate]);
  const info = keyEntry(key, form);
  const chain = [uint32(2), ...certificate, ...certificate];
  return Buffer.concat([...head, uint32(info.length), info, ...chain]);
}

export function signedJks(body: Buffer): Buffer {
  return Buffer.concat([body, sha1(utf16(PASSWORD), Buffer.from('Mighty Aphrodite'), body)]);
}

export function jksOf(entries: readonly JksEntry[], form: Form = {}): Buffer {
  const head = [0xfeedfeed, form.version ?? 2, entries.length].map(uint32);
  return signedJks(Buffer.concat([...head, ...entries.map((entry) => entryBytes(entry, form))]));
}
