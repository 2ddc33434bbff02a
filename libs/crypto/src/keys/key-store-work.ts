// Owns how much work a PKCS#12 key store asks for before it is opened. Opening it is key-store.ts's affair.
import type { asn1 } from 'node-forge';

type Node = asn1.Asn1;

/**
 * The largest iteration count of a store: wherever a number follows the bytes of a salt, of the MAC and of each
 * encryption. Those within what is encrypted cannot be seen.
 *
 * @see RFC 7292 §4, RFC 8018 appendix A
 */
export function mostIterations(forge: typeof import('node-forge'), store: Node): number {
  const { OCTETSTRING, INTEGER } = forge.asn1.Type;
  const within = (node: Node): number => {
    if (node.tagClass === forge.asn1.Class.UNIVERSAL && node.type === OCTETSTRING) {
      const inner = derIn(forge, node);
      return inner ? within(inner) : 0;
    }
    if (typeof node.value === 'string') return 0;
    const counts = node.value.filter(
      ({ type }, index, { [index - 1]: before }) =>
        type === INTEGER && before?.type === OCTETSTRING,
    );
    return Math.max(0, ...counts.map(numberOf), ...node.value.map(within));
  };
  return within(store);
}

/** What the bytes hold; undefined where that is no DER, as with salts and what is encrypted. */
function derIn(forge: typeof import('node-forge'), node: Node): Node | undefined {
  try {
    return forge.asn1.fromDer(bytesOf(node));
  } catch {
    return undefined;
  }
}

/** In one piece, or in several one after the other. */
function bytesOf({ value }: Node): string {
  return typeof value === 'string' ? value : value.map(bytesOf).join('');
}

function numberOf(integer: Node): number {
  return Number(`0x${Buffer.from(bytesOf(integer), 'latin1').toString('hex')}`);
}
