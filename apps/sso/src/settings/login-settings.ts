// The settings of browser logins.
import { sealingKeySettings } from '@tessera/config';

/** Keys of session cookies and login forms. Without any, the key in the database is used. */
export class LoginSettings extends sealingKeySettings('sso.login.keys') {}
