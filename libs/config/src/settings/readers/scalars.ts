// Readers of single values, except durations.
import { Secret } from '../secret.js';
import { InvalidValue, scalarReader, scalarText, type Reader } from './reader.js';

/** Text, trimmed; may be empty. */
export const text: Reader<string> = scalarReader('text', 'a text', (written) => written);

/** A decimal safe integer. `0x1F`, `1e3` and `007` are invalid. */
export const integer: Reader<number> = scalarReader('whole number', 'a whole number', (written) => {
  if (!/^[+-]?(?:0|[1-9]\d*)$/.test(written)) return undefined;
  const number = Number(written);
  return Number.isSafeInteger(number) ? number + 0 : undefined;
});

/** A decimal number without a sign: `0.25`. `.5`, `1.` and `1e-3` are invalid. */
export const decimal: Reader<number> = scalarReader('number', 'a decimal number', (written) =>
  /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(written) ? Number(written) : undefined,
);

/** `true` or `false`, ignoring case. */
export const boolean: Reader<boolean> = scalarReader(
  'true or false',
  'true or false',
  (written) => {
    const word = written.toLowerCase();
    if (word === 'true') return true;
    return word === 'false' ? false : undefined;
  },
);

/** A secret text, not trimmed. */
export const secret: Reader<Secret> = {
  kind: 'secret',
  secret: true,
  read(raw) {
    const written = scalarText(raw, 'a text');
    return written instanceof InvalidValue ? written : new Secret(written);
  },
};

/** One of the given words, ignoring case; the value is the word as listed. */
export function oneOf<const W extends string>(...words: readonly W[]): Reader<W> {
  const read = (written: string) =>
    words.find((word) => word.toLowerCase() === written.toLowerCase());
  return { ...scalarReader('word', `one of ${words.join(', ')}`, read), words };
}

/** A name that is safe in file names and paths: letters, digits, `.`, `_`, `-`. */
export const pathName: Reader<string> = scalarReader(
  'name',
  'a name of letters, digits, ".", "_" and "-"',
  (written) => (/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(written) ? written : undefined),
);
