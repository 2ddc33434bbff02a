import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { DownloadLimiter } from './download-limiter.js';

const BUSY = expect.objectContaining({ code: 'FILES_BUSY', status: 503 });

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
const limited = (): DownloadLimiter => new DownloadLimiter({ bytes: 10, timeoutMs: 60_000 });

describe('files in flight', () => {
  test('are rejected above the limit, and not below', () => {
    const files = limited();
    files.track(6, newResponse());
    expect(() => files.track(5, newResponse())).toThrow(BUSY);
    files.requireCapacity();
    files.track(4, newResponse());
    expect(() => files.requireCapacity()).toThrow(BUSY);
    expect(() => files.track(1, newResponse())).toThrow(BUSY);
  });

  test('may be a single larger one', () => {
    const files = limited();
    files.track(11, newResponse());
    expect(() => files.requireCapacity()).toThrow(BUSY);
  });

  test('count until the response is closed, once', () => {
    const files = limited();
    const [first, second] = [newResponse(), newResponse()];
    files.track(5, first);
    files.track(5, second);
    first.emit('close');
    first.emit('close');
    expect(() => files.track(6, newResponse())).toThrow(BUSY);
    files.track(5, newResponse());
  });

  test('do not count if they were rejected, or if the caller has left', () => {
    const files = limited();
    files.track(6, newResponse());
    const refused = newResponse();
    expect(() => files.track(5, refused)).toThrow(BUSY);
    refused.emit('close');
    const gone = newResponse();
    Object.defineProperty(gone, 'closed', { value: true });
    files.track(4, gone);
    files.track(4, newResponse());
  });
});
