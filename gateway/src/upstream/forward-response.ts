import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import accepts from 'accepts';

/** Smaller responses fit into one packet with their headers. */
const MIN_BYTES = 1024;
/** Larger responses would block the event loop for more than 5 ms. */
const MAX_BYTES = 512 * 1024;

const ENCODINGS: readonly { name: string; compress: (body: Buffer) => Buffer }[] = [
  { name: 'zstd', compress: (body) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }) },
  { name: 'br', compress: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }) },
  { name: 'gzip', compress: (body) => gzipSync(body, { level: 1 }) },
];

/** Hop-by-hop headers, and headers that reveal the server software. */
const STRIPPED_RESPONSE_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-powered-by',
]);

export function forwardResponse(upstream: IncomingMessage, res: ServerResponse, canCompress: boolean): void {
  if (res.headersSent || res.destroyed) {
    upstream.destroy();
    return;
  }
  const { headers } = upstream;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !STRIPPED_RESPONSE_HEADERS.has(name)) res.setHeader(name, value);
  }
  res.statusCode = upstream.statusCode ?? 502;
  if (canCompress) sendCompressed(upstream, res);
  else upstream.pipe(res);
}

/** Call it after all other headers are set. */
function sendCompressed(upstream: IncomingMessage, res: ServerResponse): void {
  if (!isCompressible(upstream) || res.req.method === 'HEAD') {
    upstream.pipe(res);
    return;
  }
  res.appendHeader('Vary', 'Accept-Encoding');
  const encoding = chooseEncoding(res);
  if (encoding) void sendWhole(upstream, res, encoding);
  else upstream.pipe(res);
}

function chooseEncoding(res: ServerResponse) {
  const negotiator = accepts(res.req);
  return ENCODINGS.find(({ name }) => negotiator.encoding(name));
}

async function sendWhole(
  upstream: IncomingMessage,
  res: ServerResponse,
  { name, compress }: (typeof ENCODINGS)[number],
): Promise<void> {
  const body = await buffer(upstream).catch(() => undefined);
  // Aborts truncated responses, so that clients do not mistake them for complete ones.
  if (!body) return void res.destroy();
  sendEncoded(res, { name, body: compress(body) });
}

function sendEncoded(res: ServerResponse, { name, body }: { name: string; body: Buffer }): void {
  res.setHeader('Content-Encoding', name);
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

/** Sends a response of the gateway itself, compressed like those of services. */
export function sendJson(res: ServerResponse, json: string): void {
  const body = Buffer.from(json);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.appendHeader('Vary', 'Accept-Encoding');
  const encoding = isCompressibleLength(body.length) ? chooseEncoding(res) : undefined;
  if (encoding) sendEncoded(res, { name: encoding.name, body: encoding.compress(body) });
  else res.setHeader('Content-Length', body.length).end(body);
}

/** Services send responses in one piece, so their size is known. */
function isCompressible({ headers }: IncomingMessage): boolean {
  const bytes = Number(headers['content-length'] ?? 0);
  const isText = /^(?:application\/json|text\/calendar)/.test(headers['content-type'] ?? '');
  return isText && !headers['content-encoding'] && isCompressibleLength(bytes);
}

const isCompressibleLength = (bytes: number) => bytes >= MIN_BYTES && bytes <= MAX_BYTES;
