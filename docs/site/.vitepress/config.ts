// The documentation site: documents of this repository, rendered by VitePress.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { defineConfig } from 'vitepress';
import { slugOf } from '../../../tools/docs/markdown.ts';
import { Repository } from '../../../tools/repository.ts';
import { documentRules } from '../../../tools/site/document-rules.ts';
import { decisionsOf, groupsOf } from '../../../tools/site/navigation.ts';
import { sitePathOf } from '../../../tools/site/pages.ts';

const root = join(import.meta.dirname, '../../..');
const repository = new Repository(root);
const outDir = join(root, 'dist/site');
const linkedFiles = new Map<string, string>();
const read = (path: string) => repository.read(path);
const documents = repository.paths.filter((path) => path.endsWith('.md'));

export default defineConfig({
  title: 'Tessera',
  description: 'A single sign-on ticket service and a config server.',
  lang: 'en',
  srcDir: root,
  outDir,
  srcExclude: [
    '{apps,libs,test,bench,tools,dist,node_modules,.data,coverage}/**',
    '**/node_modules/**',
  ],
  rewrites: Object.fromEntries(
    documents.flatMap((path) => {
      const address = sitePathOf(path);
      return address === undefined ? [] : [[path, address]];
    }),
  ),
  head: [['link', { rel: 'icon', href: '/mark.svg', type: 'image/svg+xml' }]],
  // Those are for the programs that the reader starts.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    languageAlias: { jq: 'sh', ldif: 'properties' },
    anchor: { slugify: slugOf },
    attrs: false,
    emoji: false,
    footnote: false,
    languageLabel: { sh: 'shell', js: 'javascript' },
    config: documentRules({
      root,
      repository,
      linkedFiles,
      renderMermaid: (source) => renderMermaidSVG(source, { transparent: true }),
    }),
  },
  transformPageData: ({ relativePath }) =>
    relativePath === 'getting-started.md' ? { title: 'Getting started' } : undefined,
  buildEnd() {
    for (const [address, path] of linkedFiles) cpSync(join(root, path), join(outDir, address));
  },
  vite: {
    publicDir: join(root, 'docs/site/public'),
    // The index of the search.
    build: { chunkSizeWarningLimit: 2_000 },
  },
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'Documentation', link: '/overview' },
      { text: 'Changes', link: '/changelog' },
    ],
    sidebar: [
      ...groupsOf(read),
      { text: 'Decisions', collapsed: true, items: [...decisionsOf(read)] },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
