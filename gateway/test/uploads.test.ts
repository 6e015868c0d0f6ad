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

/** Reads uploads completely, and responds with their length and SHA-256. */
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

type Target = { base?: string; method?: string; path?: string };

function upload(headers: Record<string, string> = {}, target: Target = {}) {
  const { base = gateway.url, method = 'POST', path = '/api/documents/upload' } = target;
  const { hostname, port } = new URL(base);
  const req = request({ hostname, port, method, path, agent: false, headers });
  const response = new Promise<{ status: number; text: string }>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', async (res) => {
      let text = '';
      for await (const chunk of res) text += String(chunk);
      resolve({ status: res.statusCode ?? 0, text });
    });
  });
  return { req, response };
}

describe('an upload', () => {
  it('reaches the service while it is still being sent', async () => {
    let receivedBytes = 0;
    drainUploads((bytes) => {
      receivedBytes = bytes;
    });
    const { req, response } = upload();
    req.write('first part');
    await waitFor(() => receivedBytes === 10, { description: 'the first part to arrive' });
    req.end('second');
    expect((await response).text).toContain('"bytes":16');
  });

  it.each([
    ['POST', '/api/documents/upload'],
    ['POST', '/api/documents/64b7f0c2a1b2c3d4e5f60718/Versions/'],
    ['PUT', '/api/documents/uploads/64b7f0c2a1b2c3d4e5f60718/parts/7'],
  ])('arrives unmodified for %s %s', async (method, path) => {
    drainUploads();
    const part = randomBytes(1024 * 1024);
    const hash = createHash('sha256');
    const { req, response } = upload({ 'content-length': String(40 * part.length) }, { method, path });
    for (let n = 0; n < 40; n += 1) {
      hash.update(part);
      if (!req.write(part)) await new Promise((resolve) => req.once('drain', resolve));
    }
    req.end();
    expect(JSON.parse((await response).text)).toEqual({ bytes: 40 * part.length, sha256: hash.digest('hex') });
  });

  it('goes to the chat-files pods, if there are any, when it contains chat files', async () => {
    const filesUpstream = await startUpstream('chat-files');
    const gatewayWithFilesPods = await gateway.startAnother({ CHAT_FILES_URL: filesUpstream.url });
    const form = { 'content-type': 'multipart/form-data; boundary=b' };
    const send = async (base: string, headers: Record<string, string>) => {
      const { req, response } = upload(headers, { base, path: '/api/chat/messages' });
      req.end('{}');
      return JSON.parse((await response).text) as { service: string };
    };
    try {
      expect(await send(gatewayWithFilesPods.url, form)).toMatchObject({ service: 'chat-files' });
      expect(await send(gatewayWithFilesPods.url, { 'content-type': 'application/json' })).toMatchObject({
        service: 'chat',
      });
      expect(await send(gateway.url, form)).toMatchObject({ service: 'chat' });
    } finally {
      await filesUpstream.stop();
    }
  });

  it('applies backpressure to the client while the service is slow', async () => {
    const { promise: requestArrived, resolve: markArrived } = Promise.withResolvers<IncomingMessage>();
    gateway.services.documents.respondWith((req) => {
      req.pause();
      markArrived(req);
    });
    const part = Buffer.alloc(256 * 1024);
    const { req } = upload({ 'content-length': String(200 * 1024 * 1024) });
    req.on('error', () => undefined);
    await once(req, 'socket');
    let written = 0;
    // Exceeds the socket buffers of both connections.
    while (written < 64 * 1024 * 1024) {
      written += part.length;
      if (req.write(part)) continue;
      if ((await Promise.race([once(req, 'drain'), delay(500, 'stuck')])) === 'stuck') break;
    }
    expect(written).toBeLessThan(32 * 1024 * 1024);
    (await requestArrived).destroy();
  });

  it('may take longer than the upstream timeout', async () => {
    drainUploads();
    const shortTimeoutGateway = await gateway.startAnother({ UPSTREAM_TIMEOUT_SECONDS: '1.5' });
    const { req, response } = upload({}, { base: shortTimeoutGateway.url });
    for (let n = 0; n < 10; n += 1) {
      req.write('slow line ');
      await delay(200);
    }
    req.end();
    expect(await response).toMatchObject({ status: 201 });
  });

  it('starts immediately for a client that waits for "100 Continue"', async () => {
    drainUploads();
    const { req, response } = upload({ expect: '100-continue', 'content-length': '4' });
    req.flushHeaders();
    await new Promise<void>((resolve) => req.once('continue', () => resolve()));
    req.end('body');
    expect((await response).text).toContain('"bytes":4');
    expect(gateway.services.documents.requests.at(-1)?.headers).not.toHaveProperty('expect');
  });

  it('receives an early rejection from the service immediately', async () => {
    gateway.services.documents.respondWith((_req, res) => sendJson(res, { message: 'The request is too large' }, 413));
    const { socket, received, closed } = await openConnection(gateway.url);
    socket.write('POST /api/documents/upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nbegins');
    const sendTimer = setInterval(() => socket.writable && socket.write('x'), 50);
    await waitFor(() => received().includes('The request is too large'), { description: 'the rejection' });
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
    // The rest of the upload is not read.
    await closed;
    clearInterval(sendTimer);
  });

  it('is aborted at the service when the client disconnects', async () => {
    const { promise: requestArrived, resolve: markArrived } = Promise.withResolvers<void>();
    const { promise: requestEnded, resolve: markEnded } = Promise.withResolvers<string>();
    gateway.services.documents.respondWith((req) => {
      req.on('data', () => markArrived());
      req.on('error', (error) => markEnded(error.message));
      req.on('end', () => markEnded('complete'));
    });
    const { req, response } = upload({ 'content-length': '1000' });
    req.write('a little');
    await requestArrived;
    req.destroy();
    await expect(response).rejects.toThrow();
    expect(await requestEnded).toBe('aborted');
  });
});
