import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import accepts from 'accepts';

/** Below this an answer goes with its headers in one packet, compressed or not. */
const LEAST_BYTES = 1024;
/** Above this it would keep the process from everything else for too long: 5 ms by the dearest of these. */
const MOST_BYTES = 512 * 1024;

/** In the order in which they are preferred, each at its cheapest. */
const ENCODINGS: readonly { name: string; compress: (body: Buffer) => Buffer }[] = [
  { name: 'zstd', compress: (body) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }) },
  { name: 'br', compress: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }) },
  { name: 'gzip', compress: (body) => gzipSync(body, { level: 1 }) },
];

/** Sends the body of an answer, compressed where that is worth it and whoever asked takes it. Its headers must be set already. */
export function sendCompressed(upstream: IncomingMessage, res: ServerResponse): void {
  if (!isWorthIt(upstream) || res.req.method === 'HEAD') {
    upstream.pipe(res);
    return;
  }
  res.appendHeader('Vary', 'Accept-Encoding');
  const accepted = accepts(res.req);
  const encoding = ENCODINGS.find(({ name }) => accepted.encoding(name));
  if (encoding) void sendWhole(upstream, res, encoding);
  else upstream.pipe(res);
}

async function sendWhole(
  upstream: IncomingMessage,
  res: ServerResponse,
  { name, compress }: (typeof ENCODINGS)[number],
): Promise<void> {
  const body = await buffer(upstream).catch(() => undefined);
  // One that breaks off is cut: half of it must not be taken for the whole.
  if (!body) return void res.destroy();
  const compressed = compress(body);
  res.setHeader('Content-Encoding', name);
  res.setHeader('Content-Length', compressed.length);
  res.end(compressed);
}

/** JSON or a calendar whose size is known: services send what they have as one piece. */
function isWorthIt({ headers }: IncomingMessage): boolean {
  const bytes = Number(headers['content-length'] ?? 0);
  const isText = /^(?:application\/json|text\/calendar)/.test(headers['content-type'] ?? '');
  return isText && !headers['content-encoding'] && bytes >= LEAST_BYTES && bytes <= MOST_BYTES;
}
