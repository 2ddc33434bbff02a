// Reads from the API for a component, and again when asked.
import { useCallback, useEffect, useState } from 'react';
import { Problem } from './api/problem.js';
import type { Page } from './api/answers.js';

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
}

/** Until an answer that was missing for a passing reason is asked for again. */
const RETRY_MS = 5_000;

/**
 * Reads again by itself where the server could not answer for now.
 * @param read stable between renderings: wrap it in useCallback @param interval milliseconds between readings
 */
export function useLoaded<T>(read: () => Promise<T>, interval?: number): Loaded<T> {
  const [state, setState] = useState<{ of?: unknown; data?: T; problem?: Problem }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      const problem = await read().then(
        (data) => {
          if (isCurrent) setState({ of: read, data });
        },
        (error: unknown) => toProblem(error),
      );
      if (!isCurrent) return;
      if (problem) setState((before) => ({ ...(before.of === read && before), of: read, problem }));
      const pause = problem?.isTemporary ? Math.min(RETRY_MS, interval ?? RETRY_MS) : interval;
      if (pause !== undefined) timer = setTimeout(() => void load(), pause);
    };
    void load();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
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
    setProblem(undefined);
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
