import type { DocumentUpload } from '@atrium/proto-events/http/document-uploads';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import type { TestTokens } from '@atrium/test-kit/tokens';

type UploadApi = { url: string; tokens: TestTokens };

type UploadResponse<T = unknown> = { status: number; body: T };

type CallOptions = {
  as?: Pick<DirectoryUser, '_id' | 'role'> | undefined;
  body?: unknown;
  bytes?: Uint8Array;
  headers?: Record<string, string>;
};

/** Calls the upload endpoints; `path` is below `/documents/uploads`. */
export async function callUploads<T = unknown>(
  api: UploadApi,
  method: string,
  path: string,
  { as, body, bytes, headers }: CallOptions = {},
): Promise<UploadResponse<T>> {
  const payload = bytes ? Uint8Array.from(bytes) : body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(`${api.url}/api/documents/uploads${path}`, {
    method,
    headers: {
      ...(as && { authorization: `Bearer ${await api.tokens.sign(as)}` }),
      ...(payload !== undefined && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const text = await response.text();
  const result = { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  recordResponse('documents', { method, path: `/documents/uploads${path}` }, result);
  return result;
}

type BeginUploadParams = { as: DirectoryUser; content: Uint8Array; fields?: Record<string, unknown>; key?: string };

/** Begins an upload in parts; throws on failure. */
export async function beginUpload(
  api: UploadApi,
  { as, content, fields = {}, key }: BeginUploadParams,
): Promise<DocumentUpload> {
  const body = { fileName: 'large.bin', size: content.length, ...fields };
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const result = await callUploads<DocumentUpload>(api, 'POST', '', { as, body, headers });
  if (result.status !== 201) throw new Error(`Failed to begin the upload: ${JSON.stringify(result)}`);
  return result.body;
}

export const slicePart = (content: Uint8Array, { partBytes }: Pick<DocumentUpload, 'partBytes'>, number: number) =>
  content.subarray((number - 1) * partBytes, number * partBytes);

/** Uploads a part and returns the status. */
export async function putPart(
  api: UploadApi,
  { as, upload, content, number }: { as: DirectoryUser; upload: DocumentUpload; content: Uint8Array; number: number },
): Promise<number> {
  const bytes = slicePart(content, upload, number);
  return (await callUploads(api, 'PUT', `/${upload._id}/parts/${number}`, { as, bytes })).status;
}
