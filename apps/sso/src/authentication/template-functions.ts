// The functions of the template language. Each takes the values before it to others. @see docs/users.md

export type Step = (values: readonly string[]) => readonly string[];

interface TemplateFunction {
  readonly takes: 'nothing' | 'text';
  step(text: string): Step;
}

const ofEach =
  (convert: (value: string) => string): Step =>
  (values) =>
    values.map(convert);

/** Leaves out the values that do not have the text. */
const partOf =
  (text: string, part: (value: string, index: number) => string): Step =>
  (values) =>
    values.flatMap((value) => {
      const index = value.indexOf(text);
      return index < 0 ? [] : [part(value, index)];
    });

export const TEMPLATE_FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map<
  string,
  TemplateFunction
>([
  ['lower', { takes: 'nothing', step: () => ofEach((value) => value.toLowerCase()) }],
  ['upper', { takes: 'nothing', step: () => ofEach((value) => value.toUpperCase()) }],
  ['first', { takes: 'nothing', step: () => (values) => values.slice(0, 1) }],
  [
    'join',
    {
      takes: 'text',
      step: (text) => (values) => (values.length === 0 ? [] : [values.join(text)]),
    },
  ],
  [
    'before',
    { takes: 'text', step: (text) => partOf(text, (value, index) => value.slice(0, index)) },
  ],
  [
    'after',
    {
      takes: 'text',
      step: (text) => partOf(text, (value, index) => value.slice(index + text.length)),
    },
  ],
  [
    'default',
    { takes: 'text', step: (text) => (values) => (values.length === 0 ? [text] : values) },
  ],
]);
