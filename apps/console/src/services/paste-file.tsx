// Takes a service file of Apereo CAS from the clipboard.
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { postApiV1ServicesConvert } from '../api/generated/sdk.gen.js';
import { answer } from '../api/problem.js';
import type { Conversion, Note } from '../api/answers.js';
import { TextInput } from '../ui/fields.js';
import { ProblemNote, useAction } from '../ui/parts.js';

export function PasteFile({ onRead }: { readonly onRead: (read: Conversion) => void }): ReactNode {
  const [text, setText] = useState('');
  const read = useAction(async () => {
    // The file may be Hjson: it is sent as it is.
    const call = postApiV1ServicesConvert({ body: text as never, bodySerializer: null });
    onRead(await answer(call));
  });
  return (
    <details>
      <summary>Paste the file of a service of Apereo CAS</summary>
      <TextInput label="Service file (JSON)" lines={8} value={text} onChange={setText} />
      <ProblemNote problem={read.problem} />
      <Button onPress={read.run} isDisabled={read.isBusy || text.trim() === ''}>
        Read the file
      </Button>
    </details>
  );
}

/** What the file has, and this server has not. */
export function Notes({ notes }: { readonly notes: readonly Note[] }): ReactNode {
  if (notes.length === 0) return null;
  return (
    <section className="notes" aria-labelledby="notes" role="status">
      <h2 id="notes">Notes on the file</h2>
      <ul>
        {notes.map(({ member, note, kind }) => (
          <li key={member + note}>
            <code>{member}</code> {note}
            {kind === 'not-understood' && ' — so the service is disabled'}
          </li>
        ))}
      </ul>
    </section>
  );
}
