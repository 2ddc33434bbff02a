// Owns the readers of single values. Durations have a file of their own.
import { Secret } from '../secret.js';
import { Refusal, scalarReader, scalarText, type Reader } from './reader.js';

/** Text without the white space around it; may be empty. */
export const text: Reader<string> = scalarReader('a text', (written) => written);

/** A whole number, decimal, within what JavaScript holds exactly. `0x1F`, `1e3`, `007` are refused. */
export const integer: Reader<number> = scalarReader('a whole number', (written) => {
  if (!/^[+-]?(?:0|[1-9]\d*)$/.test(written)) return undefined;
  const number = Number(written);
  return Number.isSafeInteger(number) ? number + 0 : undefined;
});

/** `true` or `false`, in any case of letters. */
export const boolean: Reader<boolean> = scalarReader('true or false', (written) => {
  const word = written.toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
});

/** A secret text, taken as written: white space around it belongs to it. */
export const secret: Reader<Secret> = {
  secret: true,
  read(raw) {
    const written = scalarText(raw, 'a text');
    return written instanceof Refusal ? written : new Secret(written);
  },
};

/** One of the given words, in any case of letters; the value is the word as listed here. */
export function oneOf<const W extends string>(...words: readonly W[]): Reader<W> {
  return scalarReader(`one of ${words.join(', ')}`, (written) =>
    words.find((word) => word.toLowerCase() === written.toLowerCase()),
  );
}

/** A name that becomes part of file names and paths: letters, digits, `.`, `_`, `-`. */
export const pathName: Reader<string> = scalarReader(
  'a name of letters, digits, ".", "_" and "-"',
  (written) => (/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(written) ? written : undefined),
);
