import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Sends path and headers unmodified, unlike `fetch`. */
export function sendRequest(base: string, options: RequestOptions & { body?: string | Buffer }): Promise<RawResponse> {
  const { hostname, port } = new URL(base);
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const headers = { ...length, ...rest.headers };
    const req = request({ hostname, port, agent: false, ...rest, headers }, async (res) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of res) chunks.push(chunk as Buffer);
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) });
      } catch (error) {
        reject(error);
      }
    });
    req.on('error', reject);
    req.end(body);
  });
}

export const parseJson = (response: RawResponse): unknown => JSON.parse(response.body.toString());

/** Opens a raw connection; `received` returns all data that has arrived on it. */
export async function openConnection(
  base: string,
): Promise<{ socket: Socket; received: () => string; closed: Promise<void> }> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return { socket, received: () => text, closed };
}
