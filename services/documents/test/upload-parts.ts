import type { DocumentUpload } from '@atrium/proto-events/http/document-uploads';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import type { TestTokens } from '@atrium/test-kit/tokens';

export type At = { url: string; tokens: TestTokens };

export type Answered<T = unknown> = { status: number; body: T };

type Call = {
  as?: Pick<DirectoryUser, '_id' | 'role'> | undefined;
  body?: unknown;
  bytes?: Uint8Array;
  headers?: Record<string, string>;
};

/** Calls the upload endpoints; `path` is below `/documents/uploads`. */
export async function ask<T = unknown>(at: At, method: string, path: string, call: Call = {}): Promise<Answered<T>> {
  const { as, body, bytes, headers } = call;
  const payload = bytes ? Uint8Array.from(bytes) : body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(`${at.url}/api/documents/uploads${path}`, {
    method,
    headers: {
      ...(as && { authorization: `Bearer ${await at.tokens.sign(as)}` }),
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

type Begun = { as: DirectoryUser; content: Uint8Array; fields?: Record<string, unknown>; key?: string };

/** Starts an upload; throws on failure. */
export async function begin(at: At, { as, content, fields = {}, key }: Begun): Promise<DocumentUpload> {
  const body = { fileName: 'large.bin', size: content.length, ...fields };
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const result = await ask<DocumentUpload>(at, 'POST', '', { as, body, headers });
  if (result.status !== 201) throw new Error(`The upload failed: ${JSON.stringify(result)}`);
  return result.body;
}

export const partOf = (content: Uint8Array, { partBytes }: Pick<DocumentUpload, 'partBytes'>, number: number) =>
  content.subarray((number - 1) * partBytes, number * partBytes);

/** Uploads a part and returns the status. */
export async function put(
  at: At,
  { as, upload, content, number }: { as: DirectoryUser; upload: DocumentUpload; content: Uint8Array; number: number },
): Promise<number> {
  const bytes = partOf(content, upload, number);
  return (await ask(at, 'PUT', `/${upload._id}/parts/${number}`, { as, bytes })).status;
}
