// Reads from the API for a component, and again when asked.
import { useCallback, useEffect, useState } from 'react';
import { Problem } from './api/problem.js';
import type { Page } from './api/answers.js';

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
}

/** @param read stable between renderings: wrap it in useCallback. @param interval milliseconds between readings */
export function useLoaded<T>(read: () => Promise<T>, interval?: number): Loaded<T> {
  const [state, setState] = useState<{ of?: unknown; data?: T; problem?: Problem }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const load = (): void => {
      read().then(
        (data) => isCurrent && setState({ of: read, data }),
        (error: unknown) =>
          isCurrent &&
          setState((before) => ({
            ...(before.of === read && before),
            of: read,
            problem: toProblem(error),
          })),
      );
    };
    load();
    const timer = interval === undefined ? undefined : setInterval(load, interval);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [read, interval, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  // What another question was answered with is not shown any more.
  const { data, problem } = state.of === read ? state : {};
  return { data, problem, reload };
}

export interface LoadedPages<T> extends Loaded<readonly T[]> {
  /** Undefined on the last page. */
  readonly more: (() => void) | undefined;
}

/** The pages of a list, as far as they were asked for. @param read stable between renderings */
export function usePages<T>(read: (after?: string) => Promise<Page<T>>): LoadedPages<T> {
  const first = useLoaded(useCallback(() => read(), [read]));
  const [later, setLater] = useState<{ of?: unknown; items: readonly T[]; next: string | null }>();
  const [problem, setProblem] = useState<Problem>();
  const start = first.data;
  const isContinued = later !== undefined && later.of === start;
  const next = isContinued ? later.next : (start?.next ?? null);
  const more = (): void => {
    if (next === null) return;
    read(next).then(
      (page) =>
        setLater((before) => ({
          of: start,
          items: [
            ...(before !== undefined && before.of === start ? before.items : []),
            ...page.items,
          ],
          next: page.next,
        })),
      (error: unknown) => setProblem(toProblem(error)),
    );
  };
  return {
    data: start && [...start.items, ...(isContinued ? later.items : [])],
    problem: first.problem ?? problem,
    reload: first.reload,
    more: next === null ? undefined : more,
  };
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(0, 'NO_ANSWER', 'The server does not answer.');
}
