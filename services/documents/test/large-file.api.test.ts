import { createHash } from 'node:crypto';
import type { Document } from '@atrium/proto-events/http/documents';
import { buildUser } from '@atrium/test-kit/people';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startProcess } from './start-process.ts';
import { streamUpload } from './stream-upload.ts';

const MIB = 1024 * 1024;
/** Six hundred megabytes take their time on a busy machine. */
const LONGEST_MS = 180_000;
const uploader = buildUser();
let service: Awaited<ReturnType<typeof startProcess>>;

beforeAll(async () => {
  service = await startProcess([uploader]);
});
afterAll(() => service.end('SIGTERM'));

it(
  'carries large files through without holding them, and gives the same bytes back',
  async () => {
    const token = await service.tokens.sign(uploader);
    let highest = 0;
    const watch = setInterval(async () => {
      highest = Math.max(highest, await service.residentBytes());
    }, 50);
    const sent = await streamUpload(service.url, { token, bytes: 50 * MIB });
    // As many bytes as the larger file has: what a collector of garbage lets stand grows with what has passed, whatever it was.
    for (let more = 0; more < 5; more += 1) await streamUpload(service.url, { token, bytes: 50 * MIB });
    const highestOfSmaller = highest;
    const larger = await streamUpload(service.url, { token, bytes: 300 * MIB });
    clearInterval(watch);
    expect(larger.status).toBe(201);
    expect(sent.status).toBe(201);
    const { _id, ...stored } = sent.body as Document;
    expect(stored).toMatchObject({ size: 50 * MIB, sha256: sent.sha256, mimetype: 'application/octet-stream' });
    // A file of 250 MB more, and not a fifth of it more memory: nothing grows with the file.
    expect(highest - highestOfSmaller).toBeLessThan(50 * MIB);

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
  LONGEST_MS,
);
