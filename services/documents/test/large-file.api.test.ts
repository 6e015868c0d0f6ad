import { createHash } from 'node:crypto';
import type { Document } from '@atrium/proto-events/http/documents';
import { buildUser } from '@atrium/test-kit/build-user';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startProcess } from './start-process.ts';
import { streamUpload } from './stream-upload.ts';

const MIB = 1024 * 1024;
/** Uploading 600 MB takes long on a busy machine. */
const TIMEOUT_MS = 180_000;
const uploader = buildUser();
let service: Awaited<ReturnType<typeof startProcess>>;

beforeAll(async () => {
  service = await startProcess([uploader]);
});
afterAll(() => service.end('SIGTERM'));

it(
  'a form upload streams large files without buffering them, and a download returns the same bytes',
  async () => {
    const token = await service.tokens.sign(uploader);
    let peakBytes = 0;
    const watch = setInterval(async () => {
      peakBytes = Math.max(peakBytes, await service.residentBytes());
    }, 50);
    const sent = await streamUpload(service.url, { token, bytes: 50 * MIB });
    // Processes as many bytes as the larger file has, because garbage collection depends on them.
    for (let upload = 0; upload < 5; upload += 1) await streamUpload(service.url, { token, bytes: 50 * MIB });
    const peakBytesOfSmaller = peakBytes;
    const larger = await streamUpload(service.url, { token, bytes: 300 * MIB });
    clearInterval(watch);
    expect(larger.status).toBe(201);
    expect(sent.status).toBe(201);
    const { _id, ...stored } = sent.body as Document;
    expect(stored).toMatchObject({ size: 50 * MIB, sha256: sent.sha256, mimetype: 'application/octet-stream' });
    // Memory grows by less than a fifth of the additional 250 MB: it does not depend on the file size.
    expect(peakBytes - peakBytesOfSmaller).toBeLessThan(50 * MIB);

    const headers = { authorization: `Bearer ${token}` };
    const { downloadUrl } = (await (
      await fetch(`${service.url}/api/documents/${_id}`, { headers })
    ).json()) as Document;
    const response = await fetch(downloadUrl ?? '');
    const digest = createHash('sha256');
    for await (const chunk of response.body ?? []) digest.update(chunk);
    expect(digest.digest('hex')).toBe(sent.sha256);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
  },
  TIMEOUT_MS,
);
