import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';
import { sendJson, startUpstream } from './start-upstream.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** Consumes uploads and responds with length and SHA-256. */
function drainUploads(onBytes: (bytes: number) => void = () => undefined): void {
  gateway.services.documents.respondWith(async (req, res) => {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of req) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      onBytes(bytes);
    }
    sendJson(res, { bytes, sha256: hash.digest('hex') }, 201);
  });
}

type To = { base?: string; method?: string; path?: string };

function upload(headers: Record<string, string> = {}, to: To = {}) {
  const { base = gateway.url, method = 'POST', path = '/api/documents/upload' } = to;
  const { hostname, port } = new URL(base);
  const req = request({ hostname, port, method, path, agent: false, headers });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', async (res) => {
      let text = '';
      for await (const chunk of res) text += String(chunk);
      resolve({ status: res.statusCode ?? 0, text });
    });
  });
  return { req, answer };
}

describe('an upload', () => {
  it('reaches the service while it is still being sent', async () => {
    let seen = 0;
    drainUploads((bytes) => {
      seen = bytes;
    });
    const { req, answer } = upload();
    req.write('first part');
    await waitFor(() => seen === 10, { what: 'the first part to arrive' });
    req.end('second');
    expect((await answer).text).toContain('"bytes":16');
  });

  it.each([
    ['POST', '/api/documents/upload'],
    ['POST', '/api/documents/64b7f0c2a1b2c3d4e5f60718/Versions/'],
    ['PUT', '/api/documents/uploads/64b7f0c2a1b2c3d4e5f60718/parts/7'],
  ])('arrives unmodified for %s %s', async (method, path) => {
    drainUploads();
    const part = randomBytes(1024 * 1024);
    const hash = createHash('sha256');
    const { req, answer } = upload({ 'content-length': String(40 * part.length) }, { method, path });
    for (let n = 0; n < 40; n += 1) {
      hash.update(part);
      if (!req.write(part)) await new Promise((resolve) => req.once('drain', resolve));
    }
    req.end();
    expect(JSON.parse((await answer).text)).toEqual({ bytes: 40 * part.length, sha256: hash.digest('hex') });
  });

  it('of chat files goes to the upload pods, if there are any; messages without files do not', async () => {
    const intake = await startUpstream('chat-files');
    const divided = await gateway.another({ CHAT_FILES_URL: intake.url });
    const form = { 'content-type': 'multipart/form-data; boundary=b' };
    const send = async (base: string, headers: Record<string, string>) => {
      const { req, answer } = upload(headers, { base, path: '/api/chat/messages' });
      req.end('{}');
      return JSON.parse((await answer).text) as { service: string };
    };
    try {
      expect(await send(divided.url, form)).toMatchObject({ service: 'chat-files' });
      expect(await send(divided.url, { 'content-type': 'application/json' })).toMatchObject({ service: 'chat' });
      expect(await send(gateway.url, form)).toMatchObject({ service: 'chat' });
    } finally {
      await intake.stop();
    }
  });

  it('applies backpressure to the client while the service is slow', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<IncomingMessage>();
    gateway.services.documents.respondWith((req) => {
      req.pause();
      begin(req);
    });
    const part = Buffer.alloc(256 * 1024);
    const { req } = upload({ 'content-length': String(200 * 1024 * 1024) });
    req.on('error', () => undefined);
    await once(req, 'socket');
    let written = 0;
    // More than the socket buffers of both connections hold.
    while (written < 64 * 1024 * 1024) {
      written += part.length;
      if (req.write(part)) continue;
      if ((await Promise.race([once(req, 'drain'), delay(500, 'stuck')])) === 'stuck') break;
    }
    expect(written).toBeLessThan(32 * 1024 * 1024);
    (await begun).destroy();
  });

  it('may take longer than the upstream timeout', async () => {
    drainUploads();
    const shortTimeoutGateway = await gateway.another({ UPSTREAM_TIMEOUT_SECONDS: '1.5' });
    const { req, answer } = upload({}, { base: shortTimeoutGateway.url });
    for (let n = 0; n < 10; n += 1) {
      req.write('slow line ');
      await delay(200);
    }
    req.end();
    expect(await answer).toMatchObject({ status: 201 });
  });

  it('starts immediately for a client that waits for "100 Continue"', async () => {
    drainUploads();
    const { req, answer } = upload({ expect: '100-continue', 'content-length': '4' });
    req.flushHeaders();
    await new Promise<void>((resolve) => req.once('continue', () => resolve()));
    req.end('body');
    expect((await answer).text).toContain('"bytes":4');
    expect(gateway.services.documents.requests.at(-1)?.headers).not.toHaveProperty('expect');
  });

  it('gets an early rejection of the service immediately', async () => {
    gateway.services.documents.respondWith((_req, res) => sendJson(res, { message: 'The request is too large' }, 413));
    const { socket, received, closed } = await openConnection(gateway.url);
    socket.write('POST /api/documents/upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nbegins');
    const sending = setInterval(() => socket.writable && socket.write('x'), 50);
    await waitFor(() => received().includes('The request is too large'), { what: 'the rejection' });
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
    // The rest of the upload is not read.
    await closed;
    clearInterval(sending);
  });

  it('is aborted at the service when the client disconnects', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    gateway.services.documents.respondWith((req) => {
      req.on('data', () => begin());
      req.on('error', (error) => end(error.message));
      req.on('end', () => end('a whole request'));
    });
    const { req, answer } = upload({ 'content-length': '1000' });
    req.write('a little');
    await begun;
    req.destroy();
    await expect(answer).rejects.toThrow();
    expect(await ended).toBe('aborted');
  });
});
