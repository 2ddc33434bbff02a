/** The file of common passwords cannot be read. The message is for the operator. */
export class PasswordListError extends Error {
  override readonly name = 'PasswordListError';
  readonly code = 'PASSWORD_LIST_UNREADABLE';
  /** EX_CONFIG, as for other settings that are refused. */
  readonly exitCode = 78;
}
