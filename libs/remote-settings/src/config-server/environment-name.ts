// Owns which environment is asked for, and the path that its name makes.

/** What tells environments apart. */
export interface EnvironmentName {
  readonly application: string;
  /** Of several, the last wins. */
  readonly profiles: readonly string[];
  /** Empty: the server's own choice. */
  readonly label: string;
}

/** @see Spring Cloud Config, `/{application}/{profile}[/{label}]` */
export function environmentPath({ application, profiles, label }: EnvironmentName): string {
  const segments = [
    encodeURIComponent(application),
    profiles.length === 0 ? 'default' : profiles.map(encodeURIComponent).join(','),
  ];
  // A slash would begin a segment of its own.
  if (label !== '') segments.push(label.split('/').map(encodeURIComponent).join('(_)'));
  return `/${segments.join('/')}`;
}

/** For people: `sso, profiles prod,eu, label main`. */
export function describeEnvironment({ application, profiles, label }: EnvironmentName): string {
  const ofLabel = label === '' ? '' : `, label ${label}`;
  const ofProfiles = profiles.length === 0 ? 'profile default' : `profiles ${profiles.join(',')}`;
  return `${application}, ${ofProfiles}${ofLabel}`;
}
