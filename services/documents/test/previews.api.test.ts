import type { Preview } from '@atrium/proto-events/http/previews';
import { newId } from '@atrium/service-kit/process/new-id';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type People, type Started, startDocuments, type UploadOptions } from './factories.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

const call = (path: string, as?: keyof People, method = 'GET') =>
  started.service.call(method, `/documents${path}`, as && { as: started.people[as] });
const createUploaderDocument = (options: Omit<UploadOptions, 'as'> = {}) =>
  createDocument(started.service, { ...options, as: started.people.uploader });
const getPreview = async (id: string, query = '') => (await call(`/${id}/preview${query}`, 'uploader')).body as Preview;
const fetchTypeAndDisposition = async ({ url }: Preview) => {
  const { headers } = await fetch(url ?? 'none:');
  return [headers.get('content-type'), headers.get('content-disposition')?.split(';', 1)[0]];
};

const PDF = '%PDF-1.7\n%âãÏÓ\n';
const PLAIN = 'text/plain; charset=utf-8';
/** The start of a WAV file: only its type is tested. */
const SOUND = Uint8Array.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', (char) => char.charCodeAt(0));

describe('GET /documents/:id/preview', () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>, string, string, string]>([
    ['a PDF', PDF, 'plan.pdf', 'application/pdf', 'inline'],
    ['plain text', 'Dear all', 'letter.txt', PLAIN, 'inline'],
    ['Markdown', '# Plan\n', 'plan.md', PLAIN, 'inline'],
    ['CSV', 'a,b\n1,2\n', 'table.csv', PLAIN, 'inline'],
    ['audio', SOUND, 'sound.wav', 'audio/wav', 'inline'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'page.html', PLAIN, 'attachment'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', 'drawing.svg', PLAIN, 'attachment'],
    ['XML', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'drawing', PLAIN, 'attachment'],
  ])('returns a preview link for %s', async (_label, content, fileName, type, disposition) => {
    const { _id } = await createUploaderDocument({ content, fileName });
    const response = await getPreview(_id);
    expect(response).toMatchObject({ state: 'ready', mimetype: type });
    expect(await fetchTypeAndDisposition(response)).toEqual([type, disposition]);
  });

  it('returns no preview for files that can only be downloaded', async () => {
    const { _id } = await createUploaderDocument({ content: new Uint8Array([0, 1, 2, 0xff]), fileName: 'data.bin' });
    expect(await getPreview(_id)).toEqual({ state: 'none' });
  });

  it('does not count as a download', async () => {
    const countDownloads = async (id: string) =>
      (await started.service.query('select downloads from documents where id = $1', [id]))[0]?.downloads;
    const { _id } = await createUploaderDocument({ content: `previewed ${newId()}` });
    await getPreview(_id);
    await call(`/${_id}`, 'uploader');
    await getPreview(_id);
    await waitFor(async () => (await countDownloads(_id)) !== 0, { description: 'the download to be counted' });
    expect(await countDownloads(_id)).toBe(1);
  });

  it('shows the current file and, by number, an earlier one', async () => {
    const { people, service } = started;
    const first = `first ${newId()}`;
    const { _id } = await createUploaderDocument({ content: first });
    const form = new FormData();
    form.append('file', new Blob(['%PDF-1.7 second']), 'second.pdf');
    const headers = { authorization: `Bearer ${await service.tokens.sign(people.uploader)}` };
    await fetch(`${service.url}/api/documents/${_id}/versions`, { method: 'POST', headers, body: form });
    expect(await getPreview(_id)).toMatchObject({ mimetype: 'application/pdf' });
    const earlier = await getPreview(_id, '?version=1');
    expect(await (await fetch(earlier.url ?? 'none:')).text()).toBe(first);
    expect((await call(`/${_id}/preview?version=3`, 'uploader')).status).toBe(404);
    expect((await call(`/${_id}/preview?version=0`, 'uploader')).status).toBe(400);
  });

  it('is allowed for readers', async () => {
    const { _id } = await createUploaderDocument();
    expect((await call(`/${_id}/preview`)).status).toBe(401);
    expect((await call(`/${_id}/preview`, 'stranger')).status).toBe(404);
    expect((await call(`/${newId()}/preview`, 'admin')).status).toBe(404);
    expect((await call(`/${_id}/preview`, 'admin')).status).toBe(200);
    await call(`/${_id}`, 'uploader', 'DELETE');
    expect((await call(`/${_id}/preview`, 'uploader')).status).toBe(404);
  });

  it('reports an unavailable store and a lost file', async () => {
    const { bucket } = started;
    const { _id } = await createUploaderDocument({ content: `lost ${newId()}` });
    await started.service.query(
      'update objects o set missing_since = now() from documents d where d.id = $1 and d.object_key = o.object_key',
      [_id],
    );
    expect(await getPreview(_id)).toEqual({ state: 'none' });
    const storeProxy = await createFaultyProxy(bucket.endpoint);
    const proxied = await startDocuments({ S3_ENDPOINT: storeProxy.url });
    try {
      const document = await createDocument(proxied.service, { as: proxied.people.uploader });
      storeProxy.cut();
      const requestPreview = () =>
        proxied.service.call('GET', `/documents/${document._id}/preview`, { as: proxied.people.uploader });
      const unavailable = await waitFor(
        async () => {
          const response = await requestPreview();
          return response.status === 503 && response;
        },
        { description: 'the outage to be detected' },
      );
      expect(unavailable).toMatchObject({ body: { code: 'unavailable' } });
    } finally {
      await proxied.service.close();
      await storeProxy.close();
    }
  });
});
