// Draws operations a second over the time of a run, a row for every ten minutes, with a numbered band for each fault.

import { drawing, round, roundUp, shown, STYLE, text, WIDTH } from './chart.ts';

export interface Timeline {
  /** Successes and failures in each second. */
  readonly succeeded: readonly number[];
  readonly failed: readonly number[];
  readonly faults: readonly Band[];
}

interface Band {
  readonly name: string;
  /** In seconds. */
  readonly from: number;
  readonly to: number;
}

const ROW_SECONDS = 600;
/** The last answers arrive after the load has ended: they get no row of their own. */
const LEAST_SECONDS = 30;
const AREA = { left: 48, right: 12, top: 76, bottom: 24 } as const;
const INNER_WIDTH = WIDTH - AREA.left - AREA.right;
const ROW = { height: 130, distance: 180 } as const;

/** A part of the run, and where it is drawn. */
interface Row {
  /** In seconds of the run. */
  readonly from: number;
  /** The y of its axis. */
  readonly base: number;
  /** Seconds of all its width, and operations of all its height. */
  readonly seconds: number;
  readonly top: number;
}

/** @param names of the faults, in the order of their numbers */
export function drawTimeline(timeline: Timeline, title: string, names: readonly string[]): string {
  const { succeeded, failed } = timeline;
  const seconds = Math.min(ROW_SECONDS, succeeded.length);
  const top = roundUp(Math.max(1, ...succeeded, ...failed));
  const count = Math.max(1, Math.ceil((succeeded.length - LEAST_SECONDS) / ROW_SECONDS));
  const rows = Array.from({ length: count }, (_, index): Row => {
    const base = AREA.top + ROW.height + index * ROW.distance;
    return { from: index * ROW_SECONDS, base, seconds, top };
  });
  const last = AREA.top + ROW.height + (count - 1) * ROW.distance;
  return drawing(last + AREA.bottom, [
    description(timeline),
    STYLE,
    text(0, 20, title, { weight: 600 }),
    text(0, 42, 'succeeded (blue), failed or slow (grey); a band is a fault; minutes below', {
      isQuiet: true,
    }),
    ...rows.flatMap((row) => [
      ...bands(timeline, row, names),
      ...ticks(row),
      line(failed, row, 'two'),
      line(succeeded, row, 'one'),
    ]),
  ]);
}

function bands({ faults }: Timeline, row: Row, names: readonly string[]): readonly string[] {
  const end = row.from + row.seconds;
  const inside = faults.filter(({ from, to }) => from < end && to >= row.from);
  return inside.flatMap(({ name, from, to }) => {
    const [left, right] = [xOf(Math.max(from, row.from), row), xOf(Math.min(to, end), row)];
    const [width, y] = [round(Math.max(1, right - left)), row.base - ROW.height];
    const rectangle = `<rect x="${round(left)}" y="${y}" width="${width}" height="${ROW.height}" style="fill: var(--plot-edge)" />`;
    // A fault at the end of a row has its number there.
    if (from < row.from) return [rectangle];
    const number = String(names.indexOf(name) + 1);
    return [rectangle, text((left + right) / 2, y - 5, number, { anchor: 'middle', size: 10 })];
  });
}

function ticks(row: Row): readonly string[] {
  const values = [0, row.top / 2, row.top].map((value) => {
    const y = row.base - (value / row.top) * ROW.height;
    return text(AREA.left - 8, y + 4, shown(value), { anchor: 'end', isQuiet: true });
  });
  const minutes = Array.from({ length: Math.floor(row.seconds / 60) + 1 }, (_, minute) => {
    const label = String(row.from / 60 + minute);
    const x = xOf(row.from + minute * 60, row);
    return text(x, row.base + 16, label, { anchor: 'middle', isQuiet: true });
  });
  return [...values, ...minutes];
}

function line(values: readonly number[], row: Row, color: string): string {
  const points = values.slice(row.from, row.from + row.seconds).map((value, index) => {
    const y = row.base - (value / row.top) * ROW.height;
    return `${round(xOf(row.from + index + 0.5, row))},${round(y)}`;
  });
  return `<polyline points="${points.join(' ')}" style="fill: none; stroke: var(--plot-${color}); stroke-width: 1.5px" />`;
}

function xOf(second: number, { from, seconds }: Row): number {
  return AREA.left + ((second - from) / seconds) * INNER_WIDTH;
}

/** The faults with their times, for screen readers. */
function description({ faults }: Timeline): string {
  const all = faults.map(({ name, from, to }) => `${name} from ${from} s to ${to} s`);
  return `<desc>${all.join('; ')}.</desc>`;
}
