// The public face of the library of requests to servers that settings name.
export { HttpClient, type ClientCertificate, type HttpAnswer } from './http-client.js';
export { schemeHint } from './scheme-hint.js';
