// Where the console is: the part of the address after `#`, such as `#/audit?user=ann`.
import { useSyncExternalStore } from 'react';

export interface Place {
  /** `services`, `7` for `#/services/7`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed);
      return () => removeEventListener('hashchange', changed);
    },
    () => location.hash,
  );
  return readPlace(hash);
}

/** @param hash with or without `#` */
export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map(decode),
    query: new URLSearchParams(query),
  };
}

/** The address of a place in the console. Parameters without a value are left out. */
export function linkTo(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  const search = new URLSearchParams(given).toString();
  const place = path.map((part) => encodeURIComponent(part)).join('/');
  return `#/${place}${search === '' ? '' : `?${search}`}`;
}

export function goTo(...place: Parameters<typeof linkTo>): void {
  location.hash = linkTo(...place);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
