// Asks before edits are lost that were not saved.
import { useEffect } from 'react';

const QUESTION = 'Leave this page? What you have changed is not saved.';

/** The forms with such edits. */
const unsaved = new Set<object>();

/** While `isUnsaved`, the browser asks before it closes or leaves the page, and the console before it shows another. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const form = {};
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    unsaved.add(form);
    addEventListener('beforeunload', ask);
    return () => {
      unsaved.delete(form);
      removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
}

/** Whether the page may be left: nothing is unsaved, or the user says so. */
export function mayLeave(): boolean {
  return unsaved.size === 0 || confirm(QUESTION);
}

/** After a save or a removal: nothing is left to ask about. */
export function forgetUnsaved(): void {
  unsaved.clear();
}
