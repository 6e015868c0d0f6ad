import type { ServerResponse } from 'node:http';

/** Aborts when the response is sent, or when the client disconnects before. */
export function closeSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}
