import { randomBytes } from 'node:crypto';
import http from 'node:http';

/**
 * Uploads a file, or downloads one and discards it, and prints the elapsed and CPU seconds. Runs in a separate process,
 * so that it does not disturb the measurement. Mode `put` uploads to a presigned link of the store, `form` in one
 * request, and `parts` in parts, like browsers.
 */
const { mode, url, token, bytes } = JSON.parse(process.argv[2] ?? '') as {
  mode: 'put' | 'form' | 'parts' | 'get';
  url: string;
  token: string;
  bytes: number;
};
const chunk = randomBytes(256 * 1024);
/** As long as a browser's boundary, because a short one is slower to search for. */
const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW9';
/** Makes every file unique. */
const uniquePrefix = randomBytes(16);
const agent = new http.Agent({ keepAlive: true });

type SendParams = {
  method: string;
  to: string;
  headers?: Record<string, string | number>;
  from: number;
  size: number;
  head?: string;
  tail?: string;
};

/** Sends a range of the file; returns the response. */
async function send({ method, to, headers = {}, from, size, head = '', tail = '' }: SendParams): Promise<string> {
  const length = head.length + size + tail.length;
  const auth = to.startsWith(url) && mode !== 'put' ? { authorization: `Bearer ${token}` } : {};
  const request = http.request(to, { method, agent, headers: { ...auth, ...headers, 'content-length': length } });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  request.write(head);
  for (let sent = 0; sent < size; ) {
    const part = from + sent === 0 ? uniquePrefix : chunk.subarray(0, Math.min(chunk.length, size - sent));
    sent += part.length;
    if (!request.write(part)) await new Promise((drained) => request.once('drain', drained));
  }
  request.end(tail);
  return readText(await promise);
}

async function readText(response: http.IncomingMessage): Promise<string> {
  const text = (await response.toArray()).join('');
  if ((response.statusCode ?? 500) >= 300) throw new Error(`HTTP ${response.statusCode}: ${text}`);
  return text;
}

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${url}/api/documents${path}`, { method, headers, ...init });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function sendForm(): Promise<void> {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  await send({
    method: 'POST',
    to: `${url}/api/documents/upload`,
    headers,
    from: 0,
    size: bytes,
    head,
    tail: `\r\n--${BOUNDARY}--\r\n`,
  });
}

async function sendParts(): Promise<void> {
  const { _id, partBytes } = await call('POST', '/uploads', { fileName: 'big.bin', size: bytes });
  const partSize = Number(partBytes);
  for (let number = 1; (number - 1) * partSize < bytes; number += 1) {
    const from = (number - 1) * partSize;
    const to = `${url}/api/documents/uploads/${_id}/parts/${number}`;
    await send({ method: 'PUT', to, from, size: Math.min(partSize, bytes - from) });
  }
  await call('POST', `/uploads/${_id}/complete`);
}

async function read(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get(url, { agent }, resolve).on('error', reject);
  const response = await promise;
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}: ${await readText(response)}`);
  let remaining = bytes;
  for await (const chunk of response) remaining -= (chunk as Buffer).length;
  if (remaining !== 0) throw new Error(`${remaining} bytes missing`);
}

const TRANSFERS = {
  put: () => send({ method: 'PUT', to: url, from: 0, size: bytes }),
  form: sendForm,
  parts: sendParts,
  get: read,
};
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await TRANSFERS[mode]();
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(JSON.stringify({ seconds, cpu: (user + system) / 1_000_000 }));
process.exit(0);
