// The part of markdown-it that the rules of the site use. Its own types are installed with the site alone.

export interface Token {
  type: string;
  tag: string;
  content: string;
  info: string;
  nesting: number;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

export interface State {
  tokens: Token[];
  /** `realPath`: the file, absolute; the search index has only `path`. */
  readonly env: { readonly realPath?: string; readonly path?: string };
}

type Render = (tokens: Token[], index: number, ...others: unknown[]) => string;

export interface MarkdownIt {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: State) => void): void };
  };
  readonly renderer: { readonly rules: { fence?: Render; code_inline?: Render } };
}
