// Where the console is: the part of the address after `#`, such as `#/audit?user=ann`.
import { useSyncExternalStore } from 'react';
import { forgetUnsaved, mayLeave } from './unsaved.js';

export interface Place {
  /** `services`, `7` for `#/services/7`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** The place that is shown. The address is another one for a moment, while the user is asked whether to leave. */
let shown: string | undefined;

/** For one component. */
export function usePlace(): Place {
  return readPlace(useSyncExternalStore(subscribe, () => (shown ??= location.hash)));
}

function subscribe(changed: () => void): () => void {
  const follow = (): void => {
    if (location.hash === shown) return;
    if (mayLeave()) {
      shown = location.hash;
      changed();
    } else history.replaceState(null, '', shown || '#/');
  };
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
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

/** After something was done here: edits that are not saved are given up. */
export function goTo(...place: Parameters<typeof linkTo>): void {
  forgetUnsaved();
  location.hash = linkTo(...place);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
