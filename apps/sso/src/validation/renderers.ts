// Renders validation answers in the three formats. The contract fixes every byte.
import { TEXT } from '@tessera/server';
import type { Attributes } from '@tessera/services';
import { envelope, escapeText, isLocalName } from '../protocol/xml.js';

/** @see CAS 3.0 §2.5.3 */
export type FailureCode =
  | 'INVALID_REQUEST'
  | 'INVALID_TICKET'
  | 'INVALID_SERVICE'
  | 'UNAUTHORIZED_SERVICE'
  | 'UNAUTHORIZED_SERVICE_PROXY'
  | 'INVALID_PROXY_CALLBACK'
  | 'INTERNAL_ERROR';

export interface ValidationSuccess {
  readonly user: string;
  /** Undefined if the endpoint releases none. */
  readonly attributes: Attributes | undefined;
  /** Where a PGT was delivered. */
  readonly pgtIou?: string | undefined;
  /** Newest first; empty without a proxy. */
  readonly proxies: readonly string[];
}

export interface ValidationFailure {
  readonly code: FailureCode;
  readonly description: string;
}

export interface Renderer {
  readonly type: string;
  success(success: ValidationSuccess): string;
  failure(failure: ValidationFailure): string;
}

/** CAS 1. Line breaks in a user name are removed. @see CAS 3.0 §2.4.2 */
export const cas1: Renderer = {
  type: TEXT,
  success: ({ user }) => `yes\n${user.replace(/[\r\n]/g, '')}\n`,
  failure: () => 'no\n\n',
};

/** CAS 2 and 3. Clients rely on the literal prefix `cas:`, and on no white space inside elements. */
export const xml: Renderer = {
  type: 'application/xml;charset=UTF-8',
  success({ user, attributes, pgtIou, proxies }) {
    const released = attributes === undefined ? '' : attributesElement(attributes);
    const granted = pgtIou === undefined ? '' : element('        ', 'proxyGrantingTicket', pgtIou);
    const proxied = proxies.length === 0 ? '' : proxiesElement(proxies);
    return envelope(
      `    <cas:authenticationSuccess>\n${element('        ', 'user', user)}${released}${granted}${proxied}` +
        '    </cas:authenticationSuccess>\n',
    );
  },
  failure({ code, description }) {
    const text = escapeText(description);
    return envelope(
      `    <cas:authenticationFailure code="${code}">${text}</cas:authenticationFailure>\n`,
    );
  },
};

export const json: Renderer = {
  type: 'application/json',
  success({ user, attributes, pgtIou, proxies }) {
    const authenticationSuccess = {
      user,
      ...(attributes && { attributes }),
      ...(pgtIou !== undefined && { proxyGrantingTicket: pgtIou }),
      ...(proxies.length > 0 && { proxies }),
    };
    return JSON.stringify({ serviceResponse: { authenticationSuccess } });
  },
  failure({ code, description }) {
    return JSON.stringify({ serviceResponse: { authenticationFailure: { code, description } } });
  },
};

/** Attributes that cannot be XML element names; only JSON contains them. */
export function attributesWithoutXmlName(names: readonly string[]): readonly string[] {
  return names.filter((name) => !isLocalName(name));
}

function attributesElement(attributes: Attributes): string {
  let elements = '';
  for (const [name, values] of Object.entries(attributes)) {
    if (!isLocalName(name)) continue;
    for (const value of values) elements += element('            ', name, value);
  }
  return `        <cas:attributes>\n${elements}        </cas:attributes>\n`;
}

function proxiesElement(proxies: readonly string[]): string {
  const elements = proxies.map((proxy) => element('            ', 'proxy', proxy)).join('');
  return `        <cas:proxies>\n${elements}        </cas:proxies>\n`;
}

function element(indentation: string, name: string, value: string): string {
  return `${indentation}<cas:${name}>${escapeText(value)}</cas:${name}>\n`;
}
