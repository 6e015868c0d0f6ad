import { afterEach, expect, it } from '@jest/globals';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { resumeUpload, sendVersion } from './send-document.ts';

const PART = 8 * 1024 * 1024;

const buildOptions = (idempotencyKey = 'key') => ({
  idempotencyKey,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onStalled: () => undefined,
});

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

it('sendVersion restarts if the server no longer knows the upload whose creation response was lost', async () => {
  signInAs(buildUser('a'));
  const keys: unknown[] = [];
  const upload = { _id: 'u'.repeat(24), partBytes: PART, parts: [1, 2] };
  ({ stop } = await startApi(({ path, headers }) => {
    if (path.endsWith('/complete')) return { status: 201, body: { _id: 'd'.repeat(24) } };
    keys.push(headers['idempotency-key']);
    if (keys.length > 1) return { status: 201, body: upload };
    return { status: 404, body: { message: 'Upload not found', code: 'not_found', requestId: 'r' } };
  }));
  const file = new File([new Uint8Array(PART + 1)], 'film.bin');
  const send = () => sendVersion(file, 'd'.repeat(24), buildOptions());
  await expect(send()).rejects.toThrow('Upload not found');
  expect(await send()).toEqual({ _id: 'd'.repeat(24) });
  expect(keys).toEqual(['key', 'key 1']);
});

it('sendVersion deletes the uploaded parts and reports the reason if the document was deleted in the meantime', async () => {
  signInAs(buildUser('a'));
  const canceledPaths: string[] = [];
  const _id = 'u'.repeat(24);
  ({ stop } = await startApi(({ method, path }) => {
    if (method === 'DELETE') {
      canceledPaths.push(path);
      return { status: 204 };
    }
    if (path.endsWith('/complete'))
      return { status: 404, body: { message: 'Document not found', code: 'not_found', requestId: 'r' } };
    return { status: 201, body: { _id, partBytes: PART, parts: [1, 2] } };
  }));
  const file = new File([new Uint8Array(PART + 1)], 'film.bin');
  await expect(sendVersion(file, 'd'.repeat(24), buildOptions())).rejects.toThrow('Document not found');
  expect(canceledPaths).toEqual([`/api/documents/uploads/${_id}`]);
});

it.each([404, 503])('sendVersion asks to upload an expired file again if its query is answered %i', async (status) => {
  signInAs(buildUser('a'));
  let isExpired = false;
  ({ stop } = await startApi(({ method, path }) => {
    if (path.endsWith('/complete')) isExpired = true;
    if (isExpired && method === 'GET') return { status, body: {} };
    if (isExpired) return { status: 404, body: { message: 'Upload not found', code: 'not_found', requestId: 'r' } };
    return { status: method === 'GET' ? 200 : 201, body: { _id: 'u'.repeat(24), partBytes: PART, parts: [1, 2] } };
  }));
  const file = new File([new Uint8Array(PART + 1)], 'film.bin');
  await expect(sendVersion(file, 'd'.repeat(24), buildOptions(`expired ${status}`))).rejects.toThrow(
    'The upload expired',
  );
});

it('sendVersion resumes an unfinished upload of a small file, also when it is retried', async () => {
  signInAs(buildUser('a'));
  const requests: string[] = [];
  const _id = 'u'.repeat(24);
  ({ stop } = await startApi(({ method, path }) => {
    requests.push(`${method} ${path}`);
    if (method === 'GET') return { status: 200, body: { _id, partBytes: PART, parts: [1] } };
    if (requests.length < 3) return { status: 400, body: { message: 'Invalid', code: 'invalid', requestId: 'r' } };
    return { status: 201, body: { _id: 'd'.repeat(24) } };
  }));
  const file = new File(['small'], 'film.bin');
  resumeUpload(_id, file);
  const send = () => sendVersion(file, 'd'.repeat(24), buildOptions('small'));
  await expect(send()).rejects.toThrow('Invalid');
  expect(await send()).toEqual({ _id: 'd'.repeat(24) });
  const attempt = [`GET /api/documents/uploads/${_id}`, `POST /api/documents/uploads/${_id}/complete`];
  expect(requests).toEqual([...attempt, ...attempt]);
});
