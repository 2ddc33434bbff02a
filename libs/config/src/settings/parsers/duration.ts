// Reads durations in two notations: `1h30m`, and ISO 8601 `PT1H30M`.
import { scalarParser, type SettingParser } from './setting-parser.js';

const SHORT = /^(?:(\d+)d)?\s?(?:(\d+)h)?\s?(?:(\d+)m)?\s?(?:(\d+)s)?\s?(?:(\d+)ms)?$/;
const ISO = /^P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/;
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** A duration in milliseconds: `500ms`, `10s`, `1h30m`, `1d`, `PT8H`. A number without a unit is invalid. */
export const duration: SettingParser<number> = {
  ...scalarParser(
    'duration',
    'a duration such as 500ms, 10s, 5m, 1h30m, 1d or PT8H',
    parseDuration,
  ),
  format: formatDuration,
};

/** As {@link duration} reads it: `1h30m`. @param milliseconds a whole number, not negative */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds;
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.join('') || '0s';
}

/** Milliseconds; undefined if the text is not a duration or exceeds the safe integers. */
export function parseDuration(text: string): number | undefined {
  const match = SHORT.exec(text) ?? ISO.exec(text);
  const parts: (string | undefined)[] = match?.slice(1) ?? [];
  if (parts.every((part) => part === undefined)) return undefined;
  if (text.startsWith('P')) parts[4] = parts[4]?.padEnd(3, '0');
  const total = UNITS.reduce((sum, [, size], index) => sum + size * Number(parts[index] ?? 0), 0);
  return Number.isSafeInteger(total) ? total : undefined;
}
