// Says why a server cannot listen, and which setting to change.

export interface ListenAddress {
  /** Prefix of the settings `host` and `port`, such as `sso`; `sso.management` of the management listener. */
  readonly application: string;
  readonly host: string;
  readonly port: number;
}

/** @param code of the system, such as `EADDRINUSE` */
export function listenErrorText(code: string, address: ListenAddress): string {
  const { host, port } = address;
  return `cannot listen on ${host}:${port}: ${listenErrorReason(code, address)}`;
}

function listenErrorReason(code: string, { application }: ListenAddress): string {
  const port = settingForms(application, 'port=<number>');
  const host = settingForms(application, 'host=<address>');
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

/** How to give a setting of the application. @param setting `port=<number>` */
function settingForms(application: string, setting: string): string {
  // The host of the management listeners is one setting for both applications.
  const prefix = setting.startsWith('host')
    ? application.replace(/^.*\.management$/, 'management')
    : application;
  const option = `--${prefix}.${setting}`;
  const [name = ''] = `${prefix}-${setting}`.split('=');
  const variable = name.toUpperCase().replaceAll(/[-.]/g, '_');
  return `${option} (npm start -- ${option}; in the environment ${variable})`;
}
