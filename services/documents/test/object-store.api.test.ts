import { createHash } from 'node:crypto';
import { REMOVAL_LOCK } from '@atrium/object-store/objects/object-remover';
import { sweepObjects, sweepWithLease } from '@atrium/object-store/objects/sweep-objects';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import type { Document } from '@atrium/proto-events/http/documents';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config.ts';
import { createDocument, type Started, startDocuments, upload } from './factories.ts';

let started: Started;
let storeProxy: FaultyProxy;
const isReported = async (available: boolean) => {
  const report = (await (await fetch(`${started.service.url}/readyz`)).json()) as { parts: Record<string, string> };
  return (report.parts.objects === 'ok') === available;
};

beforeAll(async () => {
  const { testBucket } = await import('@atrium/test-kit/backing-servers');
  const { endpoint, bucket } = await testBucket();
  storeProxy = await createFaultyProxy(endpoint);
  started = await startDocuments({ S3_ENDPOINT: storeProxy.url, S3_BUCKET: `${bucket.slice(0, 58)}-new` });
});
afterAll(async () => {
  await started.service.close();
  await storeProxy.close();
});

describe('the object store', () => {
  it('has its bucket after the service starts', async () => {
    const { objects, service } = started;
    await waitFor(() => objects.bucketExists(service.env.S3_BUCKET ?? ''), { description: 'the bucket' });
  });

  it('may be unavailable: uploads fail quickly, other requests work, and everything recovers automatically', async () => {
    const { service, people, objects } = started;
    const as = people.uploader;
    await waitFor(() => isReported(true), { description: 'the object store to be detected' });
    const existingDocument = await createDocument(service, { as, content: 'kept' });
    const deleted = await createDocument(service, { as, content: 'gone' });
    storeProxy.cut();

    const startedAt = Date.now();
    const rejected = await upload(service, { as });
    expect(rejected).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: 'File storage is not available right now. Please try again in a moment.' },
    });
    expect(rejected.headers.get('retry-after')).toBe('5');
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    await waitFor(() => isReported(false), { description: 'readyz to report the outage' });
    expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ status: 'degraded' });
    const list = await service.call('GET', '/documents', { as });
    expect(list.status).toBe(200);
    for (const document of (list.body as { data: Document[] }).data) expect(document.downloadUrl).toBeUndefined();
    expect((await service.call('GET', `/documents/${existingDocument._id}`, { as })).body).not.toHaveProperty(
      'downloadUrl',
    );
    expect((await service.call('DELETE', `/documents/${deleted._id}`, { as })).status).toBe(204);
    expect((await service.call('DELETE', `/documents/trash/${deleted._id}`, { as })).status).toBe(204);

    storeProxy.restore();
    await waitFor(() => isReported(true), { description: 'readyz to recover' });
    const bucket = service.env.S3_BUCKET ?? '';
    const exists = async (id: string) => {
      for await (const { name } of objects.listObjectsV2(bucket, `documents/${id}/`, true)) if (name) return true;
      return false;
    };
    await waitFor(async () => !(await exists(deleted._id)), { description: 'the deleted object to be removed' });
    const { body } = await service.call('GET', `/documents/${existingDocument._id}`, { as });
    const link = new URL((body as Document).downloadUrl ?? '');
    expect(await (await fetch(link)).text()).toBe('kept');
    expect((await upload(service, { as })).status).toBe(201);
  });

  it('may fail during a copy, which is retried with a new object while the first one is removed', async () => {
    const { service, people, objects } = started;
    const bucket = service.env.S3_BUCKET ?? '';
    const content = `plan ${newId()}`;
    const objectKey = `chat/${newId()}/${newId()}`;
    await objects.putObject(bucket, objectKey, content);
    const documentId = newId();
    const listCopies = async () => {
      const names: string[] = [];
      for await (const { name } of objects.listObjectsV2(bucket, `documents/${documentId}/`, true))
        if (name) names.push(name);
      return names;
    };
    const name = 'plan.txt';
    const extension = 'txt';
    const mimetype = 'text/plain; charset=utf-8';
    const sha256 = createHash('sha256').update(content).digest('hex');
    const savedBy = people.friend._id;
    storeProxy.setConditions({ delayMs: 2_000 });
    const delivery = service.deliver(
      attachmentSaved,
      { documentId, savedBy, name, extension, mimetype, size: content.length, sha256, objectKey },
      1,
      savedBy,
    );
    const [firstCopy] = await waitFor(async () => ((await listCopies()).length > 0 ? listCopies() : undefined), {
      description: 'a copy',
    });
    // Disconnects before the response of the store arrives.
    storeProxy.cut();
    await waitFor(() => isReported(false), { description: 'the object store outage' });
    storeProxy.restore();
    await delivery;
    await waitFor(async () => !(await listCopies()).includes(firstCopy ?? ''), {
      description: 'the first copy to be removed',
    });
    expect(await listCopies()).toHaveLength(1);
    expect((await service.call('GET', `/documents/${documentId}`, { as: people.friend })).status).toBe(200);
  });

  it('passes on a permanent error of a copy instead of being reported as unavailable', async () => {
    const { service } = started;
    const store = createObjectStore({
      config: readConfig(service.env),
      prefix: 'documents/',
      log: createLogger('test', 'silent'),
    });
    try {
      const rejected = await store
        .copy({ key: 'chat/../secret', bytes: 1 }, 'documents/rejected/1')
        .catch((error) => error);
      expect(rejected).toMatchObject({ name: 'S3Error', code: 'XMinioInvalidObjectName' });
      expect(await store.copy({ key: 'chat/nothing', bytes: 1 }, 'documents/rejected/1')).toBe(false);
    } finally {
      store.close();
    }
  });

  it('loses only old unrecorded objects in a sweep', async () => {
    const { service, people, objects } = started;
    const bucket = service.env.S3_BUCKET ?? '';
    const document = await createDocument(service, { as: people.uploader });
    await objects.putObject(bucket, 'documents/orphan/1', 'unrecorded');
    await objects.putObject(bucket, 'another-service/1', 'of another service');
    await objects.initiateNewMultipartUpload(bucket, 'documents/orphan/2', {});
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore({ config: readConfig(service.env), prefix: 'documents/', log });
    try {
      const sweep = (offsetMs: number) => sweepObjects({ db, store, log }, new Date(Date.now() + offsetMs));
      expect(await sweep(-3_600_000)).toEqual({ orphans: 0, missing: 0, found: 0 });
      expect(await sweep(60_000)).toEqual({ orphans: 1, missing: 0, found: 0 });
      const listKeys = async () => {
        const names: string[] = [];
        for await (const { name } of objects.listObjectsV2(bucket, '', true)) if (name) names.push(name);
        return names;
      };
      await waitFor(async () => !(await listKeys()).includes('documents/orphan/1'), {
        description: 'the orphan to be removed',
      });
      expect(await listKeys()).toContain('another-service/1');
      expect((await listKeys()).some((key) => key.includes(document._id))).toBe(true);
      expect((await objects.listIncompleteUploadsQuery(bucket, '', '', '', '')).uploads).toEqual([]);
    } finally {
      store.close();
      await db.pool.end();
    }
  });

  it('is compared in a sweep that marks records of lost objects until the objects are restored', async () => {
    const { service, people, objects } = started;
    const bucket = service.env.S3_BUCKET ?? '';
    const as = people.uploader;
    const lostDocument = await createDocument(service, { as, content: 'lost' });
    await createDocument(service, { as, content: 'present' });
    const [row] = await service.query('select object_key from documents where id = $1', [lostDocument._id]);
    const key = String(row?.object_key);
    await objects.removeObject(bucket, key);
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore({ config: readConfig(service.env), prefix: 'documents/', log });
    const sweep = () => sweepObjects({ db, store, log }, new Date(Date.now() - 3_600_000));
    const read = async () => (await service.call('GET', `/documents/${lostDocument._id}`, { as })).body;
    try {
      expect(await sweep()).toEqual({ orphans: 0, missing: 1, found: 0 });
      expect(await sweep()).toEqual({ orphans: 0, missing: 0, found: 0 });
      expect(await read()).toMatchObject({ fileLost: true, name: 'notes.txt' });
      expect(await read()).not.toHaveProperty('downloadUrl');
      const version = (await service.call('GET', `/documents/${lostDocument._id}/versions/1`, { as })).body;
      expect(version).toMatchObject({ fileLost: true });
      // The same content gets a new object, because this one would be lost too.
      const newLink = (await createDocument(service, { as, content: 'lost' })).downloadUrl ?? '';
      expect(await (await fetch(newLink)).text()).toBe('lost');
      await objects.putObject(bucket, key, 'lost');
      expect(await sweep()).toEqual({ orphans: 0, missing: 0, found: 1 });
      expect(await read()).not.toHaveProperty('fileLost');
      expect(await read()).toHaveProperty('downloadUrl');
    } finally {
      store.close();
      await db.pool.end();
    }
  });

  it('is swept by one pod per database until its lease expires', async () => {
    const { service } = started;
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore({ config: readConfig(service.env), prefix: 'documents/', log });
    const sweep = (holder: string) => sweepWithLease({ db, store, log }, { holder, orphanHours: 24 });
    try {
      const swept = await Promise.all(['pod-1', 'pod-2', 'pod-3'].map(sweep));
      expect(swept.filter(Boolean)).toHaveLength(1);
      expect(await sweep('pod-4')).toBeUndefined();
      await db.query("update leases set expires_at = now() where name = 'sweep-objects'");
      expect(await sweep('pod-4')).toMatchObject({ orphans: 0 });
    } finally {
      store.close();
      await db.pool.end();
    }
  });

  it('may be slow to remove an object, while no database rows are locked', async () => {
    const { service, people } = started;
    const { _id } = await createDocument(service, { as: people.uploader });
    await service.call('DELETE', `/documents/${_id}`, { as: people.uploader });
    const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    try {
      storeProxy.stall();
      await service.call('DELETE', `/documents/trash/${_id}`, { as: people.uploader });
      const listClaimed = () =>
        service.query(
          'select from objects_to_delete where not_before > now() and attempts = 0 and object_key like $1',
          [`%${_id}%`],
        );
      await waitFor(async () => (await listClaimed()).length === 1, { description: 'the removal to begin' });
      await db.transaction(async (tx) => {
        const backupLock = 'select pg_try_advisory_xact_lock($1) as acquired';
        expect((await tx.query(backupLock, [REMOVAL_LOCK])).rows).toEqual([{ acquired: true }]);
        await tx.query('select from objects_to_delete for update nowait');
      });
    } finally {
      storeProxy.restore();
      await db.pool.end();
    }
    await waitFor(async () => (await service.query('select from objects_to_delete')).length === 0, {
      description: 'the object to be removed',
    });
  });
});
