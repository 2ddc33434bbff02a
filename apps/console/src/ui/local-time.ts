// Times in fields of the type `datetime-local`, which are in the time zone of the browser.

const MINUTE_MS = 60_000;

/** @returns empty for no time, and for an invalid one */
export function toLocal(time: string | null): string {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const text = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString();
  return text.slice(0, 16);
}

/** @returns undefined for an empty field */
export function fromLocal(text: string): string | undefined {
  return text === '' ? undefined : new Date(text).toISOString();
}
