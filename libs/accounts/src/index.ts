// Users whose names and password hashes are kept in PostgreSQL.
export { AccountError, type AccountErrorCode } from './account-error.js';
export { AccountsModule } from './accounts.module.js';
export { AccountImport, type ImportOptions, type ImportReport } from './account-import.js';
export {
  accountName,
  attributesViolation,
  holdsPassword,
  NAME_RULE,
  NOT_FOR_SERVICES,
} from './account-rules.js';
export { fileTime, generalizedTime } from './directory-times.js';
export {
  AccountStore,
  type AccountChange,
  type AccountState,
  type AccountSummary,
  type NewAccount,
  type Page,
} from './account-store.js';
export type { ImportViolation } from './import-entry.js';
export { IMPORT_FORMATS, type ImportFormat } from './import-file.js';
export type { LdifOptions } from './import-ldif.js';
export { UserAccount, type AccountAttributes } from './user-account.entity.js';
