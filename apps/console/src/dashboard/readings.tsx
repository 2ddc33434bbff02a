// Reads the metrics on all pages, so that the charts have no gap when one comes back to the dashboard.
import { createContext, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { getApiV1Metrics } from '../api/generated/sdk.gen.js';
import { answer, type Problem } from '../api/problem.js';
import { useLoaded } from '../loading.js';
import { readMetrics } from './metrics-text.js';
import type { Reading } from './rates.js';

export const INTERVAL_MS = 5_000;
/** The points of a chart. */
export const READINGS = 120;

interface Readings {
  /** The last ones, the oldest first. */
  readonly readings: readonly Reading[];
  readonly problem: Problem | undefined;
}

export const ReadingsContext = createContext<Readings>({ readings: [], problem: undefined });

export function KeepReadings({ children }: { readonly children: ReactNode }): ReactNode {
  const read = useCallback(async (): Promise<Reading> => {
    const text = await answer(getApiV1Metrics({ parseAs: 'text' }));
    return { at: Date.now(), samples: readMetrics(text) };
  }, []);
  const { data, problem } = useLoaded(read, INTERVAL_MS);
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  useEffect(() => {
    if (data === undefined) return;
    // One more, since each value is the difference of two readings.
    setReadings((before) => [...before, data].slice(-READINGS - 1));
  }, [data]);
  const value = useMemo(() => ({ readings, problem }), [readings, problem]);
  return <ReadingsContext value={value}>{children}</ReadingsContext>;
}
