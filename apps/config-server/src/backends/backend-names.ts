// Owns the names of backends, as `config-server.backends` lists them.

export const BACKEND_NAMES = ['native', 'git', 'vault', 'postgres'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

export function isBackendName(name: string): name is BackendName {
  return BACKEND_NAMES.some((known) => known === name);
}
