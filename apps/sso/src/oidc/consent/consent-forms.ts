// The state of the form that asks for consent. It travels in the field `execution`, sealed.
import { Injectable } from '@nestjs/common';
import { SealingKey } from '../../login/login-key.js';

export interface ConsentForm {
  /** Of the interaction, which ends with the first answer, and is of one session alone. */
  readonly uid: string;
  /** Those that the page shows. */
  readonly scopes: readonly string[];
}

@Injectable()
export class ConsentForms {
  constructor(private readonly key: SealingKey) {}

  seal(form: ConsentForm): Promise<string> {
    return this.key.seal('consent-form', form);
  }

  /** Undefined for a text that is not from this server. */
  async open(text: string): Promise<ConsentForm | undefined> {
    return (await this.key.open('consent-form', text)) as ConsentForm | undefined;
  }
}
