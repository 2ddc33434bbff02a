// Tables: the cells of settings know their columns, so that narrow screens can show a row as a card.

import type { Token } from './markdown-it.ts';

/** An empty cell is no header: screen readers would announce it. */
export function replaceEmptyHeaders(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue;
    for (const each of tokens.slice(index, index + 3)) each.tag = each.tag.replace('th', 'td');
  }
}

/** Marks the tables whose first column is `Key`. */
export function labelSettings(tokens: readonly Token[]): void {
  let table: Token | undefined;
  let headers: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1]?.content ?? '';
    if (token.type === 'table_open') [table, headers] = [token, []];
    if (token.type === 'th_open') headers.push(text);
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'td_open') token.attrSet('data-label', headers[column++] ?? '');
    if (token.type === 'tbody_open' && headers[0] === 'Key') table?.attrSet('class', 'settings');
  }
}
