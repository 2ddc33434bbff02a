// Diagrams in Mermaid's language, drawn as SVG with the colours of the page.

import { named } from './svg.ts';

export type RenderMermaid = (source: string) => string;

let drawn = 0;

/** The first line `accTitle: …` names the diagram. @throws Error for a diagram without it */
export function drawDiagram(source: string, render: RenderMermaid): string {
  const title = /^\s*accTitle:\s*(.+)$/m.exec(source)?.[1];
  if (title === undefined) throw new Error(`a diagram has no accTitle: ${source}`);
  const svg = render(source.replaceAll(/^\s*accTitle:.*\n/gm, ''));
  drawn += 1;
  const own = svg
    .replaceAll(/<style>.*?<\/style>\s*/gs, '')
    // Ids are unique in a page.
    .replaceAll(/id="([\w-]+)"|url\(#([\w-]+)\)/g, (_, id?: string, target?: string) =>
      id === undefined ? `url(#d${drawn}-${target})` : `id="d${drawn}-${id}"`,
    );
  return `<figure class="diagram" tabindex="0" v-pre>${named(own, title)}</figure>\n`;
}
