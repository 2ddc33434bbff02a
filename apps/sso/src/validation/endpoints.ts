// Owns what tells the validation endpoints apart. @see CAS 3.0 §2.4 to §2.8

export interface Endpoint {
  /** CAS 1 answers in two lines of text, and knows no other format. */
  readonly isCas1: boolean;
  readonly acceptsProxyTickets: boolean;
  /** `always`, or only while the setting says that CAS 2 answers carry them. */
  readonly attributes: 'always' | 'by-setting' | 'never';
}

export const VALIDATE: Endpoint = {
  isCas1: true,
  acceptsProxyTickets: false,
  attributes: 'never',
};

export const SERVICE_VALIDATE: Endpoint = {
  isCas1: false,
  acceptsProxyTickets: false,
  attributes: 'by-setting',
};

export const PROXY_VALIDATE: Endpoint = { ...SERVICE_VALIDATE, acceptsProxyTickets: true };
export const P3_SERVICE_VALIDATE: Endpoint = { ...SERVICE_VALIDATE, attributes: 'always' };
export const P3_PROXY_VALIDATE: Endpoint = { ...PROXY_VALIDATE, attributes: 'always' };
