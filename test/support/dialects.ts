// The statuses that differ between the dialects of `sso.dialect`.

export const DIALECTS = [
  { dialect: 'documented', badCredentials: 400, failedValidation: 400, throttled: 429 },
  { dialect: 'apereo', badCredentials: 401, failedValidation: 200, throttled: 423 },
] as const;
