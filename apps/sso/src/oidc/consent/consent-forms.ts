// The state of the form that asks for consent. It travels in the field `execution`, sealed.
import { Injectable } from '@nestjs/common';
import type { Session } from '../../login/browser-session.js';
import { SealingKey } from '../../login/login-key.js';
import { formSecretOf } from '../library/form-secret.js';

export interface ConsentForm {
  /** Of the interaction, which ends with the first answer, and is of one session alone. */
  readonly uid: string;
  /** Those that the page shows. */
  readonly scopes: readonly string[];
}

@Injectable()
export class ConsentForms {
  constructor(private readonly key: SealingKey) {}

  /** With the secret of the session: the sealing key may be in the database, whose readers could make up a form. */
  seal(form: ConsentForm, { tgt }: Session): Promise<string> {
    return this.key.seal('consent-form', { ...form, secret: formSecretOf(tgt) });
  }

  /** Undefined for a text that is not from this server, or of another session. */
  async open(text: string, { tgt }: Session): Promise<ConsentForm | undefined> {
    const opened = await this.key.open('consent-form', text);
    const form = opened as (ConsentForm & { readonly secret: string }) | undefined;
    return form?.secret === formSecretOf(tgt) ? form : undefined;
  }
}
