// The last known answers of backends. They outlive a reload that leaves the settings of a backend unchanged.
import { sameValues } from '@tessera/config';
import { newAnswers, type Answers } from './cached-backend.js';

/** Of this process; each as long as an application uses the answers. */
let known: readonly { readonly source: unknown; readonly answers: WeakRef<Answers> }[] = [];

/** @param source the name of a backend and its settings: equal ones share the answers */
export function lastKnownOf(source: unknown, capacity: number): Answers {
  known = known.filter(({ answers }) => answers.deref() !== undefined);
  const shared = known.find((each) => sameValues(each.source, source))?.answers.deref();
  if (shared !== undefined) return shared;
  const answers = newAnswers(capacity);
  known = [...known, { source, answers: new WeakRef(answers) }];
  return answers;
}
