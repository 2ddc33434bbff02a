// The public API of the HTTP client library.
export { HttpClient, type ClientCertificate, type HttpAnswer, schemeHint } from './http-client.js';
