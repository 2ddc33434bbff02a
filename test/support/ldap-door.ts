// The door between a directory's servers and their client.
import { Door, type DoorState } from './door.js';

export class LdapDoor extends Door {
  /** @param target URL of a server on 127.0.0.1 */
  static async before(target: string, state: DoorState = 'open'): Promise<LdapDoor> {
    const door = new LdapDoor({ host: '127.0.0.1', port: Number(new URL(target).port) });
    await door.set('open');
    await door.set(state);
    return door;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }
}
