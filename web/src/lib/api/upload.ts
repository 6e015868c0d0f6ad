import { API_PREFIX, withRefresh } from './api.ts';
import { errorFromResponse, networkError } from './api-error.ts';

export type UploadOptions = {
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  stallTimeoutMs?: number;
};

export const createCanceledError = () => new DOMException('Upload canceled', 'AbortError');

/** Uploads a form with files and reports progress. The time limit of other calls does not apply. */
export function upload<Data>(path: string, form: FormData, options: UploadOptions = {}): Promise<Data> {
  return withRefresh((token) => send<Data>({ method: 'POST', path, body: form, token }, options));
}

export async function putBytes(path: string, bytes: Blob, options: UploadOptions = {}): Promise<void> {
  await withRefresh((token) => send({ method: 'PUT', path, body: bytes, token }, options));
}

type UploadRequest = { method: 'POST' | 'PUT'; path: string; body: FormData | Blob; token: string | null };

function send<Data>({ method, path, body, token }: UploadRequest, options: UploadOptions): Promise<Data> {
  return new Promise((resolve, reject) => {
    const rejectAsCanceled = () => reject(createCanceledError());
    if (options.signal?.aborted) return rejectAsCanceled();
    // fetch reports no upload progress.
    const request = new XMLHttpRequest();
    request.open(method, `${API_PREFIX}${path}`);
    request.responseType = 'json';
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    if (body instanceof Blob) request.setRequestHeader('content-type', 'application/octet-stream');
    for (const [name, value] of Object.entries(options.headers ?? {})) request.setRequestHeader(name, value);
    const onStall = () => {
      // Rejects before `abort`, because `onabort` would reject as canceled.
      reject(networkError());
      request.abort();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      if (options.stallTimeoutMs !== undefined) timer = setTimeout(onStall, options.stallTimeoutMs);
    };
    request.upload.onprogress = (event) => {
      restartTimer();
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    request.onerror = () => reject(networkError());
    request.onabort = rejectAsCanceled;
    request.onloadend = () => clearTimeout(timer);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as Data);
      else reject(errorFromResponse(request.status, request.response, (name) => request.getResponseHeader(name)));
    };
    options.signal?.addEventListener('abort', () => request.abort(), { once: true });
    restartTimer();
    request.send(body);
  });
}
