import { type RefObject, useEffect } from 'react';

/** Gives the focus to the content where the element that had it was removed, such as a button in a row that has gone. */
export function useKeptFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Node | undefined;
    const remember = ({ target }: FocusEvent): void => {
      last = target as Node;
    };
    const check = (): void => {
      const isLost = last?.isConnected === false && document.activeElement === document.body;
      if (isLost) content.current?.focus();
    };
    // A dialog gives the focus back one frame after it has closed.
    const observer = new MutationObserver(() =>
      requestAnimationFrame(() => requestAnimationFrame(check)),
    );
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [content]);
}
