import type { Document } from '@atrium/proto-events/http/documents';
import { createLogger } from '@atrium/service-kit/observe/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { type Line, layLine } from '@atrium/test-kit/lay-line';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config.ts';
import { createObjectStore } from '../src/storage/object-store.ts';
import { sweepOrphans } from '../src/storage/sweep-orphans.ts';
import { aDocument, type Started, startDocuments, upload } from './factories.ts';

let started: Started;
let line: Line;
const isUp = async (up: boolean) => {
  const report = (await (await fetch(`${started.service.url}/readyz`)).json()) as { parts: Record<string, string> };
  return (report.parts.objects === 'ok') === up;
};

beforeAll(async () => {
  const { testBucket } = await import('@atrium/test-kit/backing-servers');
  const { endpoint, bucket } = await testBucket();
  line = await layLine(endpoint);
  started = await startDocuments({ S3_ENDPOINT: line.url, S3_BUCKET: `${bucket.slice(0, 58)}-new` });
});
afterAll(async () => {
  await started.service.close();
  await line.close();
});

describe('the object store', () => {
  it('gets its bucket when the service starts', async () => {
    const { objects, service } = started;
    await waitFor(() => objects.bucketExists(service.env.S3_BUCKET ?? ''), { what: 'the bucket' });
  });

  it('may go away: uploads are refused quickly, the rest works, and everything comes back by itself', async () => {
    const { service, people, objects } = started;
    const as = people.uploader;
    await waitFor(() => isUp(true), { what: 'the object store to be seen' });
    const kept = await aDocument(service, { as, content: 'kept' });
    const gone = await aDocument(service, { as, content: 'gone' });
    line.cut();

    const begun = Date.now();
    const refused = await upload(service, { as });
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: 'File storage is not available right now. Please try again in a moment.' },
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(Date.now() - begun).toBeLessThan(3_000);
    await waitFor(() => isUp(false), { what: 'readyz to say so' });
    expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ status: 'degraded' });
    const list = await service.call('GET', '/documents', { as });
    expect(list.status).toBe(200);
    for (const document of (list.body as { data: Document[] }).data) expect(document.downloadUrl).toBeUndefined();
    expect((await service.call('GET', `/documents/${kept._id}`, { as })).body).not.toHaveProperty('downloadUrl');
    expect((await service.call('DELETE', `/documents/${gone._id}`, { as })).status).toBe(204);

    line.mend();
    await waitFor(() => isUp(true), { what: 'readyz to see it again' });
    const bucket = service.env.S3_BUCKET ?? '';
    const exists = async (id: string) => {
      for await (const { name } of objects.listObjectsV2(bucket, `documents/${id}/`, true)) if (name) return true;
      return false;
    };
    await waitFor(async () => !(await exists(gone._id)), { what: 'the deleted object to go' });
    const { body } = await service.call('GET', `/documents/${kept._id}`, { as });
    const link = new URL((body as Document).downloadUrl ?? '');
    expect(await (await fetch(link)).text()).toBe('kept');
    expect((await upload(service, { as })).status).toBe(201);
  });

  it('loses in a sweep what no record names, once it is old, and nothing else', async () => {
    const { service, people, objects } = started;
    const bucket = service.env.S3_BUCKET ?? '';
    const kept = await aDocument(service, { as: people.uploader });
    await objects.putObject(bucket, 'documents/orphan/1', 'nobody’s');
    await objects.putObject(bucket, 'another-service/1', 'not ours');
    await objects.initiateNewMultipartUpload(bucket, 'documents/orphan/2', {});
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore(readConfig(service.env), log);
    try {
      expect(await sweepOrphans({ db, store, log }, new Date(Date.now() - 3_600_000))).toBe(0);
      expect(await sweepOrphans({ db, store, log }, new Date(Date.now() + 60_000))).toBe(1);
      const keys = async () => {
        const found: string[] = [];
        for await (const { name } of objects.listObjectsV2(bucket, '', true)) if (name) found.push(name);
        return found;
      };
      await waitFor(async () => !(await keys()).includes('documents/orphan/1'), { what: 'the orphan to go' });
      expect(await keys()).toContain('another-service/1');
      expect((await keys()).some((key) => key.includes(kept._id))).toBe(true);
      expect((await objects.listIncompleteUploadsQuery(bucket, '', '', '', '')).uploads).toEqual([]);
    } finally {
      store.close();
      await db.pool.end();
    }
  });
});
