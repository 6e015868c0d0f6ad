import { type Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

type JsonRequest = { url: URL; agent: Agent; headers: OutgoingHttpHeaders; signal: AbortSignal };
type JsonResponse = { status: number; body: string };

/** Requests a JSON response once more if a kept-alive connection breaks, as when a pod stops. */
export async function requestJson(request: JsonRequest): Promise<JsonResponse> {
  try {
    return await send(request, request.agent);
  } catch (error) {
    if (request.signal.aborted || !isConnectionReset(error)) throw error;
    return send(request, false);
  }
}

async function send({ url, headers, signal }: JsonRequest, agent: Agent | false): Promise<JsonResponse> {
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    start(url, { agent, headers, signal }, resolve).once('error', reject).end();
  });
  return { status: response.statusCode ?? 502, body: await text(response) };
}

const isConnectionReset = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ECONNRESET';
