// `tessera user list`: all accounts as a table for people or as JSON for programs; never a hash.
import { AccountStore, type AccountSummary } from '@tessera/accounts';
import type { CommandContext } from '../command-context.js';
import { withDatabase } from '../database.js';
import { printable } from '../printable-text.js';
import { writeLine } from '../terminal.js';

const PAGE = 500;

/** Lists all accounts in the order of their names. */
export async function listAccounts(
  { json }: { readonly json?: boolean },
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const accounts = await withDatabase(openDatabase, ({ dataSource }) =>
    allAccounts(new AccountStore(dataSource)),
  );
  const text = json ? JSON.stringify(accounts.map(plain), undefined, 2) : table(accounts);
  writeLine(terminal.stdout, text);
}

async function allAccounts(store: AccountStore): Promise<readonly AccountSummary[]> {
  const accounts: AccountSummary[] = [];
  for (let size = PAGE; size === PAGE;) {
    const last = accounts.at(-1)?.name;
    const page = await store.list({ limit: PAGE, ...(last === undefined ? {} : { after: last }) });
    accounts.push(...page);
    size = page.length;
  }
  return accounts;
}

function plain(account: AccountSummary): object {
  const { name, disabled, expired, expiresAt, attributes } = account;
  const { createdAt, updatedAt, passwordChangedAt } = account;
  return {
    name,
    disabled,
    expired,
    expires: expiresAt,
    attributes,
    created: createdAt,
    updated: updatedAt,
    passwordChanged: passwordChangedAt,
  };
}

function table(accounts: readonly AccountSummary[]): string {
  const rows = accounts.map((account) => [
    printable(account.name),
    stateOf(account),
    account.expiresAt?.toISOString() ?? 'never',
    account.passwordChangedAt.toISOString().slice(0, 'yyyy-mm-dd'.length),
  ]);
  const lines = [['NAME', 'STATE', 'EXPIRES', 'PASSWORD SET'], ...rows];
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function stateOf({ disabled, expired }: AccountSummary): string {
  if (disabled) {
    return 'disabled';
  }
  return expired ? 'expired' : 'active';
}
