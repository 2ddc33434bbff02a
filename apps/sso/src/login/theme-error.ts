/** A file or directory of the pages is unusable. The message is for the operator. */
export class ThemeError extends Error {
  override readonly name = 'ThemeError';
  readonly code = 'THEME_UNUSABLE';
  /** EX_CONFIG, as for other settings that are refused. */
  readonly exitCode = 78;
}
