// Validates tickets as an application does, and builds the expected XML.
import { expect } from '@jest/globals';
import { http, type Reply } from './http.js';
import { APP, type Sso } from './sso.js';

export const XML_ENDPOINTS = [
  '/serviceValidate',
  '/proxyValidate',
  '/p3/serviceValidate',
  '/p3/proxyValidate',
];
export const ENDPOINTS = ['/validate', ...XML_ENDPOINTS];

type Parameters = Readonly<Record<string, string>>;

export function validate({ url }: Sso, path: string, parameters: Parameters): Promise<Reply> {
  return http('GET', url, path + query(parameters));
}

/** A query string, with its question mark. */
export function query(parameters: Parameters): string {
  return `?${new URLSearchParams(parameters).toString()}`;
}

/** The first service ticket of a new login. */
export async function newTicket(sso: Sso, service = APP): Promise<string> {
  return sso.grant(await sso.login(), service);
}

export function envelope(inner: string): string {
  return `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n${inner}\n</cas:serviceResponse>\n`;
}

/** @param text already escaped */
export function failure(code: string, text: string): string {
  return envelope(
    `    <cas:authenticationFailure code="${code}">${text}</cas:authenticationFailure>`,
  );
}

/** Replaces the time of the login by `DATE`, and checks that it is less than a minute ago. */
export function withDate(body: string): string {
  const date = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/.exec(body)?.[0] ?? 'no date';
  expect(Math.abs(Date.now() - Date.parse(date))).toBeLessThan(60_000);
  return body.replace(date, 'DATE');
}

/** A request for a SAML 1.1 assertion. */
export function soap(ticket: string, requestId = '_1'): string {
  return `<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Header/><SOAP-ENV:Body>
<samlp:Request xmlns:samlp="urn:oasis:names:tc:SAML:1.0:protocol" MajorVersion="1" MinorVersion="1" RequestID="${requestId}" IssueInstant="2026-03-04T05:06:07Z">
<samlp:AssertionArtifact>${ticket}</samlp:AssertionArtifact></samlp:Request></SOAP-ENV:Body></SOAP-ENV:Envelope>`;
}
