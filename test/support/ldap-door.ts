// The door between a directory's servers and their client.
import { TcpProxy, type TcpProxyState } from './tcp-proxy.js';

export class LdapProxy extends TcpProxy {
  /** @param target URL of a server on 127.0.0.1 */
  static async start(target: string, state: TcpProxyState = 'open'): Promise<LdapProxy> {
    const proxy = new LdapProxy({ host: '127.0.0.1', port: Number(new URL(target).port) });
    await proxy.set('open');
    await proxy.set(state);
    return proxy;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }
}
