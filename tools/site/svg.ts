// SVG inside pages: without styles of its own, so that the colours of the page apply, and with a name for screen readers.

/** @param alt the text that stands for the image */
export function inlineSvg(svg: string, alt: string): string {
  const body = svg.replace(/^<\?xml[^>]*>\s*/, '').replaceAll(/<style>.*?<\/style>\s*/gs, '');
  return `<span class="plot" v-pre>${named(body.trim(), alt)}</span>`;
}

/** The image with a role and a name, and without its fixed size. */
export function named(svg: string, name: string): string {
  const [tag = ''] = /^<svg[^>]*>/.exec(svg) ?? [];
  const bare = tag.replaceAll(/ (?:style|role|aria-label)="[^"]*"/g, '').slice(0, -1);
  return `${bare} role="img" aria-label="${escaped(name)}">${svg.slice(tag.length)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
