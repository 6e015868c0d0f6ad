import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { recordResponse } from '@atrium/test-kit/coverage-records';

const CHUNK_BYTES = 256 * 1024;

type Options = {
  token: string;
  bytes: number;
  /** Closes the connection after this many bytes, once `when` has resolved. */
  disconnect?: { afterBytes: number; when: () => Promise<unknown> };
  /** Sends a Content-Length. */
  declareLength?: boolean;
};

/** Uploads random bytes as a stream. */
export async function streamUpload(url: string, { token, bytes, disconnect, declareLength }: Options) {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n';
  const tail = '\r\n--b--\r\n';
  const request = http.request(`${url}/api/documents/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
      ...(declareLength && { 'content-length': head.length + bytes + tail.length }),
    },
  });
  const responsePromise = readResponse(request);
  const digest = createHash('sha256');
  request.write(head);
  for (let sent = 0; sent < bytes; sent += CHUNK_BYTES) {
    if (disconnect && sent >= disconnect.afterBytes) {
      await disconnect.when();
      request.destroy();
      return { status: 0, body: undefined, sha256: '' };
    }
    const chunk = randomBytes(CHUNK_BYTES);
    // Avoids a random match with a known signature.
    if (sent === 0) chunk.fill(0, 0, 16);
    digest.update(chunk);
    // An early response is a rejection; the rest is not read.
    if (!request.write(chunk) && (await Promise.race([drained(request), responsePromise.then(() => false)])) === false)
      break;
  }
  if (!request.destroyed) request.end(tail);
  const response = await responsePromise;
  recordResponse('documents', { method: 'POST', path: '/documents/upload' }, response);
  return { ...response, sha256: digest.digest('hex') };
}

const drained = (request: http.ClientRequest) =>
  once(request, 'drain').then(
    () => true,
    () => false,
  );

async function readResponse(request: http.ClientRequest): Promise<{ status: number; body: unknown }> {
  const { promise, resolve } = Promise.withResolvers<http.IncomingMessage | undefined>();
  request.on('response', resolve);
  request.on('error', () => resolve(undefined));
  const response = await promise;
  if (!response) return { status: 0, body: undefined };
  const text = await new Response(response as unknown as ReadableStream).text();
  return { status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) };
}
