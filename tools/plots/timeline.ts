// Draws operations a second over the time of a run, with a numbered band for each fault.

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

const HEIGHT = 300;
const AREA = { left: 48, right: 12, top: 70, bottom: 44 } as const;
const BASE = HEIGHT - AREA.bottom;
const INNER_WIDTH = WIDTH - AREA.left - AREA.right;
const INNER_HEIGHT = BASE - AREA.top;

/** @param names of the faults, in the order of their numbers */
export function drawTimeline(timeline: Timeline, title: string, names: readonly string[]): string {
  const { succeeded, failed, faults } = timeline;
  const seconds = succeeded.length;
  const top = roundUp(Math.max(1, ...succeeded, ...failed));
  const x = (second: number): number => AREA.left + (second / seconds) * INNER_WIDTH;
  const y = (value: number): number => BASE - (value / top) * INNER_HEIGHT;
  const bands = faults.flatMap(({ name, from, to }) => {
    const rectangle = `<rect x="${round(x(from))}" y="${AREA.top}" width="${round(Math.max(1, x(to) - x(from)))}" height="${INNER_HEIGHT}" style="fill: var(--plot-edge)" />`;
    const number = String(names.indexOf(name) + 1);
    const middle = x((from + to) / 2);
    return [rectangle, text(middle, AREA.top - 5, number, { anchor: 'middle', size: 11 })];
  });
  const line = (values: readonly number[], color: string): string => {
    const points = values.map((value, second) => `${round(x(second + 0.5))},${round(y(value))}`);
    return `<polyline points="${points.join(' ')}" style="fill: none; stroke: var(--plot-${color}); stroke-width: 1.5px" />`;
  };
  const ticks = [0, top / 2, top].map((value) =>
    text(AREA.left - 8, y(value) + 4, shown(value), { anchor: 'end', isQuiet: true }),
  );
  const minutes = Array.from({ length: Math.floor(seconds / 60) + 1 }, (_, minute) =>
    text(x(minute * 60), BASE + 18, String(minute), { anchor: 'middle', isQuiet: true }),
  ).filter((_, minute, all) => minute % Math.ceil(all.length / 12) === 0);
  return drawing(HEIGHT, [
    description(timeline),
    STYLE,
    text(0, 20, title, { weight: 600 }),
    text(0, 42, 'succeeded (blue), failed or slow (grey); a band is a fault', { isQuiet: true }),
    ...bands,
    ...ticks,
    ...minutes,
    line(failed, 'two'),
    line(succeeded, 'one'),
    text(AREA.left + INNER_WIDTH / 2, HEIGHT - 8, 'minute', { anchor: 'middle', isQuiet: true }),
  ]);
}

/** The faults with their times, for screen readers. */
function description({ faults }: Timeline): string {
  const all = faults.map(({ name, from, to }) => `${name} from ${from} s to ${to} s`);
  return `<desc>${all.join('; ')}.</desc>`;
}
