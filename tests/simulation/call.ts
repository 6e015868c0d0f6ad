import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';

/** The result of a call. `status` is 0 if there was no response. */
export type CallResult = { status: number; body: unknown; ms: number };

export type Body = { json: unknown } | { form: FormData } | undefined;

/** Calls an endpoint on a new connection, so that a reused one cannot cause a failure. */
export async function call(
  base: string,
  {
    method,
    path,
    token,
    key,
    body,
  }: { method: string; path: string; token?: string | undefined; key?: string; body?: Body },
): Promise<CallResult> {
  const startedAt = performance.now();
  const headers: Record<string, string> = {
    connection: 'close',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(key && { 'idempotency-key': key }),
  };
  try {
    const { status, text } = await exchange(new URL(`${base}/api${path}`), method, headers, body);
    const isJson = text.startsWith('{') || text.startsWith('[');
    return { status, body: isJson ? JSON.parse(text) : text, ms: performance.now() - startedAt };
  } catch (error) {
    return { status: 0, body: String(error), ms: performance.now() - startedAt };
  }
}

async function exchange(url: URL, method: string, headers: Record<string, string>, body: Body) {
  const { bytes, type } = await encode(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const req = request(url, {
      method,
      agent: false,
      timeout: 20_000,
      headers: { ...headers, ...(bytes && { 'content-type': type, 'content-length': bytes.length }) },
    });
    req.once('response', resolve).once('error', reject);
    req.once('timeout', () => req.destroy(new Error('No response within 20 s')));
    req.end(bytes);
  });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, text };
}

async function encode(body: Body): Promise<{ bytes?: Buffer; type: string }> {
  if (!body) return { type: '' };
  if ('json' in body) return { bytes: Buffer.from(JSON.stringify(body.json)), type: 'application/json' };
  const encoded = new Response(body.form);
  return { bytes: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' };
}

/** Creates an idempotency key. */
export const newIdempotencyKey = (): string => randomUUID();
