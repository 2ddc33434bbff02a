// The signed-in operator, for all components.
import { createContext, useContext } from 'react';
import type { Me } from './api/answers.js';

export const MeContext = createContext<Me | undefined>(undefined);

/** Whether the user may change anything. */
export function useMayChange(): boolean {
  return useContext(MeContext)?.role === 'operator';
}
