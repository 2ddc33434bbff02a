/** These could fake the end of a message or control a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The alias of a key in a key store, with `?` for unprintable characters. */
export function printableAlias(alias: string): string {
  return alias.replaceAll(UNPRINTABLE, '?');
}
