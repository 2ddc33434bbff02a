// Parses requests for SAML 1.1 assertions. @see SAML 1.1 bindings §3.1, SAML 1.1 core §3.2
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { RequestError } from '@tessera/server';
import { MAX_TICKET_LENGTH } from '../../protocol/protocol-parameters.js';
import type { ValidationParameters } from '../validation-request.js';

export interface SamlRequest {
  /** For `InResponseTo`; undefined where the client sent none. */
  readonly requestId: string | undefined;
  /** A service ticket. */
  readonly artifact: string;
}

/** A request, with what has been read of it, for the answer to an error. */
export interface SamlMessage extends IncomingMessage {
  saml?: {
    service?: string | undefined;
    requestId?: string | undefined;
    parameters?: ValidationParameters;
  };
}

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const PROTOCOL = 'urn:oasis:names:tc:SAML:1.0:protocol';
const REQUEST_PATH = [`${SOAP} Envelope`, `${SOAP} Body`, `${PROTOCOL} Request`].join('/');
const ARTIFACT_PATH = `${REQUEST_PATH}/${PROTOCOL} AssertionArtifact`;

/** A request has four levels. The parser looks up a prefix at each level, so deep documents would be slow. */
const MAX_DEPTH = 16;
const MAX_REQUEST_ID_LENGTH = 256;
/** Markup declarations: in a document without a DOCTYPE there are only comments and CDATA sections. */
const DECLARATION = /<!(?!--|\[CDATA\[)/;
const TICKET = /^[!-~]+$/;

/**
 * @param body of the request
 * @throws RequestError MALFORMED_REQUEST; the message quotes nothing of the body
 */
export function parseSamlRequest(body: Buffer): SamlRequest {
  if (!isUtf8(body)) throw malformed('the body is not UTF-8');
  const text = body.toString('utf8');
  // Before parsing, so that no entity is ever declared.
  if (DECLARATION.test(text)) throw malformed('a document type is not allowed');
  const reader = new RequestReader();
  try {
    reader.read(text);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw malformed('the body is not well-formed XML');
  }
  return reader.request;
}

class RequestReader {
  private readonly parser = new SaxesParser({ xmlns: true, position: false });
  private readonly path: string[] = [];
  private requestId: string | undefined;
  private requests = 0;
  private readonly artifacts: string[] = [];

  constructor() {
    this.parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (encoding.toUpperCase() !== 'UTF-8') throw malformed('the encoding must be UTF-8');
    });
    this.parser.on('opentag', (tag) => this.open(tag));
    this.parser.on('closetag', () => this.path.pop());
    this.parser.on('text', (text) => this.append(text));
    this.parser.on('cdata', (text) => this.append(text));
  }

  read(text: string): void {
    this.parser.write(text.replace(/^\ufeff/, '')).close();
  }

  get request(): SamlRequest {
    const [artifact = '', ...others] = this.artifacts.map((text) => text.trim());
    if (this.requests !== 1 || others.length > 0 || artifact === '') {
      throw malformed('the body is no SOAP envelope around one Request with one AssertionArtifact');
    }
    if (artifact.length > MAX_TICKET_LENGTH || !TICKET.test(artifact)) {
      throw malformed('the AssertionArtifact is no ticket');
    }
    return { requestId: this.requestId, artifact };
  }

  private open({ uri, local, attributes }: SaxesTagNS): void {
    this.path.push(`${uri} ${local}`);
    if (this.path.length > MAX_DEPTH) throw malformed('the elements are nested too deeply');
    const path = this.path.join('/');
    if (path === ARTIFACT_PATH) this.artifacts.push('');
    if (path !== REQUEST_PATH) return;
    this.requests += 1;
    const requestId = attributes['RequestID']?.value;
    if ((requestId?.length ?? 0) > MAX_REQUEST_ID_LENGTH) {
      throw malformed(`RequestID is longer than ${MAX_REQUEST_ID_LENGTH} characters`);
    }
    this.requestId = requestId;
  }

  private append(text: string): void {
    if (this.path.join('/') !== ARTIFACT_PATH) return;
    this.artifacts.push((this.artifacts.pop() ?? '') + text);
  }
}

function malformed(message: string): RequestError {
  return new RequestError('MALFORMED_REQUEST', message);
}
