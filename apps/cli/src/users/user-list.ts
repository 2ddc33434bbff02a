// `tessera user list` and `show`: accounts as text or JSON, without password hashes.
import { AccountError, AccountStore, type AccountSummary } from '@tessera/accounts';
import { withDatabase, type CommandContext } from '../database.js';
import { columns, fieldLines, indentedJson, writeLine } from '../terminal.js';

const PAGE_SIZE = 500;

interface ShowOptions {
  readonly json?: boolean;
}

/** Lists all accounts, ordered by name. */
export async function listAccounts(
  { json }: ShowOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const accounts = await withDatabase(openDatabase, ({ dataSource }) =>
    allAccounts(AccountStore.of(dataSource)),
  );
  writeLine(terminal.stdout, json ? indentedJson(accounts.map(asJson)) : table(accounts));
}

/** Shows one account. */
export async function showAccount(
  name: string,
  { json }: ShowOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const account = await withDatabase(openDatabase, ({ dataSource }) =>
    AccountStore.of(dataSource).find(name),
  );
  if (!account) {
    throw new AccountError('ACCOUNT_NOT_FOUND', `there is no account named ${name}`);
  }
  writeLine(terminal.stdout, json ? indentedJson(asJson(account)) : fields(account));
}

async function allAccounts(store: AccountStore): Promise<readonly AccountSummary[]> {
  const accounts: AccountSummary[] = [];
  for (let size = PAGE_SIZE; size === PAGE_SIZE;) {
    const last = accounts.at(-1)?.name;
    const page = await store.list({
      limit: PAGE_SIZE,
      ...(last === undefined ? {} : { after: last }),
    });
    accounts.push(...page);
    size = page.length;
  }
  return accounts;
}

function asJson(account: AccountSummary): object {
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
    account.name,
    stateOf(account),
    expiryOf(account),
    account.passwordChangedAt.toISOString().slice(0, 'yyyy-mm-dd'.length),
  ]);
  return columns(['NAME', 'STATE', 'EXPIRES', 'PASSWORD SET'], rows);
}

function fields(account: AccountSummary): string {
  return fieldLines([
    ['name', account.name],
    ['state', stateOf(account)],
    ['expires', expiryOf(account)],
    [
      'attributes',
      Object.entries(account.attributes).flatMap(([name, values]) =>
        values.map((value) => `${name}=${value}`),
      ),
    ],
    ['created', account.createdAt.toISOString()],
    ['updated', account.updatedAt.toISOString()],
    ['passwordChanged', account.passwordChangedAt.toISOString()],
  ]);
}

function expiryOf({ expiresAt }: AccountSummary): string {
  return expiresAt?.toISOString() ?? 'never';
}

function stateOf({ disabled, expired }: AccountSummary): string {
  if (disabled) {
    return 'disabled';
  }
  return expired ? 'expired' : 'active';
}
