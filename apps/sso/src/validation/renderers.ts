// Owns the bytes of validation answers in the three formats. Pure; the contract is compared byte for byte.
import { TEXT } from '@tessera/server';
import type { Attributes } from '@tessera/services';
import type { ValidationFailure, ValidationSuccess } from './validation-answer.js';
import { escapeText, isLocalName } from './xml.js';

export interface Renderer {
  readonly type: string;
  success(success: ValidationSuccess): string;
  failure(failure: ValidationFailure): string;
}

/** CAS 1: the user alone on a line, so a line break in a name is dropped. @see CAS 3.0 §2.4.2 */
export const cas1: Renderer = {
  type: TEXT,
  success: ({ user }) => `yes\n${user.replace(/[\r\n]/g, '')}\n`,
  failure: () => 'no\n\n',
};

/** CAS 2 and 3. The literal prefix `cas:` and the lack of white space inside elements are relied upon. */
export const xml: Renderer = {
  type: 'application/xml;charset=UTF-8',
  success({ user, attributes, proxies }) {
    const released = attributes === undefined ? '' : attributesElement(attributes);
    const proxied = proxies.length === 0 ? '' : proxiesElement(proxies);
    return envelope(
      `    <cas:authenticationSuccess>\n${element('        ', 'user', user)}${released}${proxied}` +
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
  success({ user, attributes, proxies }) {
    const authenticationSuccess = {
      user,
      ...(attributes && { attributes }),
      ...(proxies.length > 0 && { proxies }),
    };
    return JSON.stringify({ serviceResponse: { authenticationSuccess } });
  },
  failure({ code, description }) {
    return JSON.stringify({ serviceResponse: { authenticationFailure: { code, description } } });
  },
};

/** Attributes that XML has no element name for; they are in the JSON alone. */
export function attributesLostInXml(names: readonly string[]): readonly string[] {
  return names.filter((name) => !isLocalName(name));
}

/** Plain concatenation, because this is written for every ticket that is redeemed. */
function envelope(content: string): string {
  return `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n${content}</cas:serviceResponse>\n`;
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
