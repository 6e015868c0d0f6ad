import { API_PREFIX, withRefresh } from './api.ts';
import { errorFromAnswer, networkError } from './api-error.ts';

type Options = {
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

/** Sends a form with files and tells how far it is; exempt from the time limit of other calls (decisions, section 6). */
export function upload<Answer>(path: string, form: FormData, options: Options = {}): Promise<Answer> {
  return withRefresh((token) => send<Answer>(path, form, token, options));
}

function send<Answer>(path: string, form: FormData, token: string | null, options: Options): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancelled = () => reject(new DOMException('Upload cancelled', 'AbortError'));
    if (options.signal?.aborted) return cancelled();
    // fetch cannot tell how much of a body has been sent.
    const request = new XMLHttpRequest();
    request.open('POST', `${API_PREFIX}${path}`);
    request.responseType = 'json';
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(options.headers ?? {})) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    request.onerror = () => reject(networkError());
    request.onabort = cancelled;
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as Answer);
      else reject(errorFromAnswer(request.status, request.response, (name) => request.getResponseHeader(name)));
    };
    options.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
