/** The name of an environment of the config server. */
export interface EnvironmentName {
  readonly application: string;
  /** The last one wins. */
  readonly profiles: readonly string[];
  /** Empty: the server's default. */
  readonly label: string;
}

/** The path of the environment. @see Spring Cloud Config, `/{application}/{profile}[/{label}]` */
export function environmentPath({ application, profiles, label }: EnvironmentName): string {
  const segments = [
    encodeURIComponent(application),
    profiles.length === 0 ? 'default' : profiles.map(encodeURIComponent).join(','),
  ];
  // A slash would begin another path segment.
  if (label !== '') segments.push(label.split('/').map(encodeURIComponent).join('(_)'));
  return `/${segments.join('/')}`;
}

/** For messages: `sso, profiles prod,eu, label main`. */
export function describeEnvironment({ application, profiles, label }: EnvironmentName): string {
  const ofLabel = label === '' ? '' : `, label ${label}`;
  const ofProfiles = profiles.length === 0 ? 'profile default' : `profiles ${profiles.join(',')}`;
  return `${application}, ${ofProfiles}${ofLabel}`;
}
