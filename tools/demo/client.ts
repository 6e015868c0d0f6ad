import { setTimeout as delay } from 'node:timers/promises';

export type DemoClient = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  upload<T>(path: string, form: FormData): Promise<T>;
};

type Call = { method: string; path: string; body?: unknown; form?: FormData };

/**
 * Creates a client that waits for Retry-After when it is rate limited, and throws an error with the response's text.
 */
export function createClient(baseUrl: string, token?: string): DemoClient {
  const send = async <T>({ method, path, body, form }: Call): Promise<T> => {
    for (;;) {
      const response = await fetch(`${baseUrl}/api${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form && { body: form }),
      });
      if (response.status === 429) {
        await delay(Number(response.headers.get('retry-after') ?? 1) * 1000);
        continue;
      }
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}: ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    }
  };
  return {
    get: (path) => send({ method: 'GET', path }),
    post: (path, body) => send({ method: 'POST', path, body }),
    patch: (path, body) => send({ method: 'PATCH', path, body }),
    upload: (path, form) => send({ method: 'POST', path, form }),
  };
}
