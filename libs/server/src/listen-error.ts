// The text for a server that cannot listen: the reason, and the setting to change.

export interface ListenAddress {
  /** Prefix of its settings `host` and `port`, such as `sso`. */
  readonly application: string;
  readonly host: string;
  readonly port: number;
}

/** @param code of the system, such as `EADDRINUSE` */
export function listenErrorText(code: string, address: ListenAddress): string {
  const { host, port } = address;
  return `cannot listen on ${host}:${port}: ${reason(code, address)}`;
}

function reason(code: string, { application }: ListenAddress): string {
  const port = `--${application}.port (in the environment ${variable(application, 'PORT')})`;
  const host = `--${application}.host (in the environment ${variable(application, 'HOST')})`;
  switch (code) {
    case 'EADDRINUSE':
      return `the port is in use; choose another with ${port}`;
    case 'EACCES':
      return `this user may not use the port; choose one above 1023 with ${port}`;
    case 'EADDRNOTAVAIL':
      return `this machine has no such address; choose another with ${host}`;
    default:
      return code;
  }
}

function variable(application: string, name: string): string {
  return `${application.toUpperCase().replaceAll('-', '_')}_${name}`;
}
