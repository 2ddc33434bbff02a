// Renders documents as they are in the repository: links between files, diagrams, plots and tabs of code.

import { relative } from 'node:path';

import type { Repository } from '../repository.ts';
import { drawDiagram, type RenderMermaid } from './diagrams.ts';
import type { MarkdownIt, State, Token } from './markdown-it.ts';
import { sitePathOf, targetOf } from './pages.ts';
import { inlineSvg } from './svg.ts';
import { labelSettings, replaceEmptyHeaders } from './tables.ts';

/** Names of languages on the tabs of code. */
const LANGUAGES: Readonly<Record<string, string>> = {
  python: 'Python',
  java: 'Java',
  go: 'Go',
  js: 'JavaScript',
};

export interface Site {
  readonly root: string;
  readonly repository: Repository;
  readonly renderMermaid: RenderMermaid;
  /** Files that pages link, by their address below the site. */
  readonly linkedFiles: Map<string, string>;
}

export function documentRules(site: Site): (md: MarkdownIt) => void {
  return (md) => {
    md.core.ruler.push('documents', (state) => {
      const page = pageOf(site, state);
      labelSettings(state.tokens);
      replaceEmptyHeaders(state.tokens);
      for (const token of state.tokens) {
        rewriteTabs(token);
        for (const child of [token, ...(token.children ?? [])]) rewriteToken(site, page, child);
      }
    });
    const { fence, code_inline: code } = md.renderer.rules;
    // Keys of settings may break after a dot.
    md.renderer.rules.code_inline = (tokens, index, ...others) => {
      const html = code?.(tokens, index, ...others) ?? '';
      const isKey = /^[a-z][\w-]*(\.[\w-]+){2,}$/.test(tokens[index]?.content ?? '');
      return isKey ? html.replaceAll('.', '.<wbr>') : html;
    };
    md.renderer.rules.fence = (tokens, index, ...others) => {
      const token = tokens[index];
      if (token?.info === 'mermaid') return drawDiagram(token.content, site.renderMermaid);
      return fence?.(tokens, index, ...others) ?? '';
    };
  };
}

function pageOf({ root, repository }: Site, { env }: State): string {
  const path = relative(root, env.realPath ?? env.path ?? '');
  if (!repository.has(path)) throw new Error(`there is no ${path}`);
  return path;
}

/** Blocks of code between two comments become tabs. */
function rewriteTabs(token: Token): void {
  if (token.type === 'html_block' && token.content.trim() === '<!-- tabs -->') {
    token.type = 'container_code-group_open';
    token.nesting = 1;
  } else if (token.type === 'html_block' && token.content.trim() === '<!-- /tabs -->') {
    token.type = 'container_code-group_close';
    token.nesting = -1;
  } else if (token.type === 'fence' && LANGUAGES[token.info] !== undefined) {
    token.info += ` [${LANGUAGES[token.info]}]`;
  }
}

function rewriteToken(site: Site, page: string, token: Token): void {
  if (token.type === 'link_open') {
    const link = token.attrGet('href') ?? '';
    token.attrSet('href', addressOf(site, page, link));
  } else if (token.type === 'image') {
    const { path = '' } = targetOf(page, token.attrGet('src') ?? '') ?? {};
    if (!path.endsWith('.svg')) return;
    token.content = inlineSvg(site.repository.read(path), token.content);
    token.type = 'html_inline';
  } else if (token.type === 'html_inline' || token.type === 'html_block') {
    // Paths of images in HTML are looked up only if they begin with a dot.
    token.content = token.content.replaceAll(/(<img src=")(?![./])/g, '$1./');
  }
}

function addressOf(site: Site, page: string, link: string): string {
  const target = targetOf(page, link);
  if (target === undefined || link.startsWith('#')) return link;
  const { path, anchor } = target;
  const sitePath = sitePathOf(path);
  if (sitePath !== undefined) return `/${sitePath}${anchor}`;
  // As text, which browsers show.
  const address = `source/${path}${path.endsWith('.json') ? '' : '.txt'}`;
  site.linkedFiles.set(address, path);
  return `/${address}`;
}
