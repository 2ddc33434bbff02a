// Adds, changes and removes the accounts of users for operators.
import { Inject, Injectable } from '@nestjs/common';
import { AccountError, AccountStore, type AccountSummary } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import type { SsoSettings } from '../../settings/sso-settings.js';
import type { Operator } from '../access/operator.js';
import { AuditedChanges } from '../audited-changes.js';
import { requireMatch } from '../entity-tag.js';
import type { AccountAddition, AccountEdit } from './user.dto.js';
import { ssoConfig } from '../../settings/namespaces.js';

/** What is changed, and the entity tag that the caller has seen. */
export interface SeenAccount {
  readonly name: string;
  readonly tag: string;
}

/** @throws AccountError, ProblemError CHANGED_MEANWHILE, DatabaseError */
@Injectable()
export class UserChanges {
  constructor(
    private readonly changes: AuditedChanges,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  async add(account: AccountAddition, caller: Operator): Promise<AccountSummary> {
    const { name, password, attributes, disabled, expiresAt } = account;
    const passwordHash = await this.hash(password);
    return this.changes.run(caller, async (manager, record) => {
      const accounts = AccountStore.of(manager);
      await accounts.add({ name, passwordHash, attributes, disabled, expiresAt });
      const details = { attributes, disabled, expiresAt };
      await record({ action: 'ADD_USER', subject: name, details });
      return required(await accounts.findSummary(name), name);
    });
  }

  async change(
    { name, tag }: SeenAccount,
    { password, attributes, disabled, expiresAt }: AccountEdit,
    caller: Operator,
  ): Promise<AccountSummary> {
    const passwordHash = password === undefined ? undefined : await this.hash(password);
    return this.changes.run(caller, async (manager, record) => {
      const accounts = AccountStore.of(manager);
      requireMatch(tag, required(await accounts.findForUpdate(name), name).revision);
      const isChanged = await accounts.change(name, {
        passwordHash,
        attributes,
        disabled,
        expiresAt,
      });
      const isPassword = password !== undefined;
      const details = {
        attributes,
        disabled,
        expiresAt,
        ...(isPassword && { changed: 'password' }),
      };
      if (isChanged) await record({ action: 'CHANGE_USER', subject: name, details });
      return required(await accounts.findSummary(name), name);
    });
  }

  async remove({ name, tag }: SeenAccount, caller: Operator): Promise<void> {
    await this.changes.run(caller, async (manager, record) => {
      const accounts = AccountStore.of(manager);
      requireMatch(tag, required(await accounts.findForUpdate(name), name).revision);
      await accounts.remove(name);
      await record({ action: 'REMOVE_USER', subject: name });
    });
  }

  private hash(password: string): Promise<string> {
    return new PasswordHashing(this.settings.argon2).hash(password);
  }
}

/** @throws AccountError ACCOUNT_NOT_FOUND */
export function required(account: AccountSummary | undefined, name: string): AccountSummary {
  if (account !== undefined) return account;
  throw new AccountError('ACCOUNT_NOT_FOUND', `there is no account named ${JSON.stringify(name)}`);
}
