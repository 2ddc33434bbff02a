// Forms that are saved: what they contain, whether it is saved, and the button that saves it.
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { useUnsaved } from '../unsaved.js';
import { type Action, useAction } from './parts.js';

export interface Draft<T> {
  readonly value: T;
  readonly change: (value: T) => void;
  readonly save: Action;
  readonly isUnsaved: boolean;
  /** Whether the last save is all there is. */
  readonly isSaved: boolean;
}

/** @param initial JSON; what is stored @param store saves it, and returns what stays in the form */
export function useDraft<T>(initial: T, store: (value: T) => Promise<T>): Draft<T> {
  const [value, change] = useState(initial);
  const [stored, setStored] = useState(initial);
  const [wasSaved, setSaved] = useState(false);
  const isUnsaved = JSON.stringify(value) !== JSON.stringify(stored);
  useUnsaved(isUnsaved);
  const save = useAction(async () => {
    const kept = await store(value);
    setStored(kept);
    if (kept !== value) change(kept);
    setSaved(true);
  });
  return { value, change, save, isUnsaved, isSaved: wasSaved && !isUnsaved };
}

/** The button keeps the focus while it saves. */
export function SaveButton({
  draft: { save, isUnsaved, isSaved },
  label = 'Save',
  type,
}: {
  readonly draft: Omit<Draft<never>, 'value' | 'change'>;
  readonly label?: string;
  readonly type?: 'submit';
}): ReactNode {
  return (
    <>
      <Button
        className="primary"
        isPending={save.isBusy}
        {...(type === undefined ? { onPress: save.run } : { type })}
      >
        {label}
      </Button>
      <span role="status" className="saved">
        {isSaved && 'Saved.'}
        {isUnsaved && !save.isBusy && 'Not saved yet.'}
      </span>
    </>
  );
}
