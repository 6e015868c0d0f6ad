import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import type { Document } from '@atrium/proto-events/http/documents';
import type { Preview } from '@atrium/proto-events/http/previews';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { makeHugeImage, makePhoto } from '@atrium/test-kit/make-photo';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import { documentsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createDocument, type People, type Started, startDocuments, type UploadOptions } from './factories.ts';
import { openTestEnvironment } from './start-process.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

const call = (path: string, as: keyof People = 'uploader', method = 'GET', target = started) =>
  target.service.call(method, `/documents${path}`, { as: target.people[as] });
const createUploaderDocument = (options: Omit<UploadOptions, 'as'>, target = started) =>
  createDocument(target.service, { ...options, as: target.people.uploader });
const read = async (id: string, target = started) =>
  (await call(`/${id}?link=false`, 'uploader', 'GET', target)).body as Document;
const getPreview = async (id: string, query = '', target = started) =>
  (await call(`/${id}/preview${query}`, 'uploader', 'GET', target)).body as Preview;
const waitForThumbnail = (id: string, target = started) =>
  waitFor(async () => (await read(id, target)).thumbnail, { description: 'the thumbnail' });
const fetchBytes = async (url: string | undefined) => Buffer.from(await (await fetch(url ?? 'none:')).arrayBuffer());
const listKeys = async (id: string, target = started) =>
  (await target.objectKeys()).filter((key) => key.startsWith(`documents/${id}/`));

describe('an uploaded image', () => {
  it('has a rotated thumbnail without metadata in every response, with a stable link', async () => {
    const { _id, thumbnail: initialThumbnail } = await createUploaderDocument({
      content: await makePhoto(1_200, 900),
      fileName: 'photo.jpg',
    });
    expect(initialThumbnail).toBeNull();
    const thumbnail = await waitForThumbnail(_id);
    expect(thumbnail).toMatchObject({ width: 360, height: 480 });
    const response = await fetch(thumbnail.url);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('private, max-age=300');
    const { exif, orientation, width } = await sharp(await response.arrayBuffer()).metadata();
    expect({ exif, orientation, width }).toEqual({ width: 360 });
    const { data } = (await call('?limit=100')).body as { data: Document[] };
    expect(data.find((document) => document._id === _id)?.thumbnail).toEqual(thumbnail);
    const limits = (await call('/limits')).body as { usedBytes: number };
    const rows = await started.service.query(`select sum(size)::int as n from objects where owner_id <> ''`);
    // Thumbnails do not count toward the quota.
    expect(limits.usedBytes).toBe(rows[0]?.n);
  });

  it('has a preview without metadata, and downloads unchanged', async () => {
    const content = await makePhoto(3_000, 2_000);
    const { _id } = await createUploaderDocument({ content, fileName: 'photo.jpg' });
    await waitForThumbnail(_id);
    const preview = await getPreview(_id);
    expect(preview).toMatchObject({ state: 'ready', mimetype: 'image/webp' });
    const bytes = await fetchBytes(preview.url);
    const { exif, orientation, width, height } = await sharp(bytes).metadata();
    expect({ exif, orientation, width, height }).toEqual({ width: 1_365, height: 2_048 });
    expect(bytes.includes('Secretcam')).toBe(false);
    const { downloadUrl } = (await call(`/${_id}`)).body as Document;
    expect((await fetchBytes(downloadUrl)).equals(Buffer.from(content))).toBe(true);
  });

  it('is not visible to users without access, and is deleted with its thumbnails', async () => {
    const { _id } = await createUploaderDocument({ content: await makePhoto(500, 400), fileName: 'photo.jpg' });
    await waitForThumbnail(_id);
    expect((await call(`/${_id}/preview`, 'stranger')).status).toBe(404);
    expect(await listKeys(_id)).toHaveLength(3);
    await call(`/${_id}`, 'uploader', 'DELETE');
    expect(await listKeys(_id)).toHaveLength(3);
    await call(`/trash/${_id}`, 'uploader', 'DELETE');
    await waitFor(async () => (await listKeys(_id)).length === 0, { description: 'all three objects to be removed' });
    expect(await started.service.query('select from objects where object_key like $1', [`documents/${_id}/%`])).toEqual(
      [],
    );
  });

  it('keeps its thumbnails while a version refers to it, with one per version', async () => {
    const { _id } = await createUploaderDocument({ content: await makePhoto(500, 401), fileName: 'first.jpg' });
    await waitForThumbnail(_id);
    const form = new FormData();
    form.append('file', new Blob([await makePhoto(300, 301)]), 'second.jpg');
    const headers = { authorization: `Bearer ${await started.service.tokens.sign(started.people.uploader)}` };
    await fetch(`${started.service.url}/api/documents/${_id}/versions`, { method: 'POST', headers, body: form });
    expect(await waitForThumbnail(_id)).toMatchObject({ width: 301, height: 300 });
    const first = await getPreview(_id, '?version=1');
    expect((await sharp(await fetchBytes(first.url)).metadata()).width).toBe(401);
    await call(`/${_id}/versions/1/restore`, 'uploader', 'POST');
    expect((await read(_id)).thumbnail).toMatchObject({ width: 385, height: 480 });
  });

  it('has no thumbnail and does not affect others if it is malicious', async () => {
    const [bomb, damaged] = await Promise.all([
      createUploaderDocument({ content: await makeHugeImage(20_000, 20_000), fileName: 'bomb.png' }),
      createUploaderDocument({ content: (await makePhoto(900, 900)).slice(0, 300), fileName: 'damaged.jpg' }),
    ]);
    const intact = await createUploaderDocument({ content: await makePhoto(90, 91), fileName: 'intact.jpg' });
    await waitForThumbnail(intact._id);
    for (const { _id } of [bomb, damaged]) {
      await waitFor(async () => (await read(_id)).thumbnail === undefined, {
        description: 'the last attempt',
      });
      expect(await listKeys(_id)).toHaveLength(1);
    }
    for (const [{ _id }, reason] of [
      [bomb, 'too-large'],
      [damaged, 'damaged'],
    ] as const) {
      expect(await getPreview(_id)).toEqual({ state: 'none', reason });
      expect(await read(_id)).toMatchObject({ thumbnailError: reason });
      const { data } = (await call('?limit=100')).body as { data: Document[] };
      expect(data.find((document) => document._id === _id)).toMatchObject({ thumbnailError: reason });
    }
    expect(
      await started.service.query(
        `select t.reason from thumbnails t join documents d on d.object_key = t.object_key where d.id = any($1) order by t.reason`,
        [[bomb._id, damaged._id]],
      ),
    ).toEqual([{ reason: 'damaged' }, { reason: 'too-large' }]);
    expect((await createUploaderDocument({ content: 'text' })).thumbnail).toBeUndefined();
  });

  it('is not retried until it is restored, if the store lost it before rendering', async () => {
    const { service } = started;
    const lostImage = await createUploaderDocument({ content: await makePhoto(321, 123), fileName: 'photo.jpg' });
    await waitForThumbnail(lostImage._id);
    const lostObjectKey = '(select object_key from documents where id = $1)';
    const setMissingSince = (time: 'now()' | 'null') =>
      service.query(`update objects set missing_since = ${time} where object_key = ${lostObjectKey}`, [lostImage._id]);
    await setMissingSince('now()');
    // Newest, so it would be rendered first.
    await service.query(
      `update thumbnails set state = 'pending', not_before = now(), requested_at = now() + interval '1 hour',
         thumbnail_key = null, preview_key = null, width = null, height = null where object_key = ${lostObjectKey}`,
      [lostImage._id],
    );
    expect(await getPreview(lostImage._id)).toEqual({ state: 'none' });
    expect(await read(lostImage._id)).not.toHaveProperty('thumbnail');
    await waitForThumbnail(
      (await createUploaderDocument({ content: await makePhoto(322, 123), fileName: 'other.jpg' }))._id,
    );
    expect(
      await service.query(`select state, unfinished, tries from thumbnails where object_key = ${lostObjectKey}`, [
        lostImage._id,
      ]),
    ).toEqual([{ state: 'pending', unfinished: 0, tries: 0 }]);
    await setMissingSince('null');
    expect(await waitForThumbnail(lostImage._id)).toMatchObject({ width: expect.any(Number) });
  });

  it('is rendered again after the next sweep, if the store lost its thumbnails', async () => {
    const { _id } = await createUploaderDocument({ content: await makePhoto(444, 333), fileName: 'photo.jpg' });
    const thumbnail = await waitForThumbnail(_id);
    const { service, objects, bucket } = started;
    for (const key of await listKeys(_id)) if (key.endsWith('.webp')) await objects.removeObject(bucket.bucket, key);
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore({ config: readConfig(service.env), prefix: 'documents/', log });
    try {
      expect(await sweepObjects({ db, store, log }, new Date(0))).toMatchObject({ missing: 2, orphans: 0 });
      await waitFor(async () => (await listKeys(_id)).length === 3, {
        description: 'the thumbnails to be rendered again',
      });
      expect(await waitForThumbnail(_id)).toMatchObject({ width: thumbnail.width });
      expect(await sweepObjects({ db, store, log }, new Date(Date.now() + 60_000))).toMatchObject({
        missing: 0,
        orphans: 0,
      });
    } finally {
      store.close();
      await db.pool.end();
    }
  });
});

it('thumbnails wait while the store is unavailable, and the preview responds with 503', async () => {
  const storeProxy = await createFaultyProxy(started.bucket.endpoint);
  const proxied = await startDocuments({ S3_ENDPOINT: storeProxy.url });
  try {
    const { _id } = await createUploaderDocument(
      { content: await makePhoto(640, 480), fileName: 'photo.jpg' },
      proxied,
    );
    await waitForThumbnail(_id, proxied);
    storeProxy.cut();
    await waitFor(async () => (await call(`/${_id}/preview`, 'uploader', 'GET', proxied)).status === 503, {
      description: 'the outage to be detected',
    });
    expect((await read(_id, proxied)).thumbnail).toBeUndefined();
    await proxied.service.query(`update thumbnails set state = 'pending', not_before = now()`);
    expect((await call(`/${_id}/preview`, 'uploader', 'GET', proxied)).status).toBe(503);
    storeProxy.restore();
    await waitFor(async () => (await getPreview(_id, '', proxied)).state === 'ready', {
      description: 'the preview',
    });
  } finally {
    await proxied.service.close();
    await storeProxy.close();
  }
});

it('a thumbnail is rendered once after its service was killed, with nothing left behind', async () => {
  const uploader = buildUser({});
  const environment = await openTestEnvironment([uploader]);
  const first = await environment.start();
  const headers = { authorization: `Bearer ${await environment.tokens.sign(uploader)}` };
  const form = new FormData();
  form.append('file', new Blob([await makePhoto(9_000, 9_000)]), 'large.jpg');
  const response = await fetch(`${first.url}/api/documents/upload`, { method: 'POST', headers, body: form });
  const { _id } = (await response.json()) as Document;
  const client = new pg.Client({ connectionString: environment.env.DATABASE_URL });
  await client.connect();
  try {
    const readState = async () => (await client.query('select state, unfinished from thumbnails')).rows[0];
    await waitFor(async () => (await readState())?.unfinished === 1, { description: 'a worker to start' });
    await first.end('SIGKILL');
    expect(await readState()).toEqual({ state: 'pending', unfinished: 1 });
    // Simulates an expired lease.
    await client.query('update thumbnails set not_before = now()');
    const second = await environment.start();
    try {
      const read = async () =>
        (await (await fetch(`${second.url}/api/documents/${_id}`, { headers })).json()) as Document;
      const thumbnail = await waitFor(async () => (await read()).thumbnail, {
        description: 'the thumbnail',
      });
      expect(thumbnail).toMatchObject({ width: 480, height: 480 });
      const { rows } = await client.query(`select object_key from objects where owner_id = ''`);
      expect(rows).toHaveLength(2);
    } finally {
      await second.end('SIGTERM');
    }
  } finally {
    await client.end();
  }
});

it('the triggers queue thumbnails for images only, and delete them with their document', async () => {
  const url = await testDatabase('documents_queue');
  await migrate(url, documentsService.migrations);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const insertDocument = async (id: string, mimetype: string) => {
      const file = [`documents/${id}/1`, 'x', mimetype, 10, 'hash'];
      await client.query(
        `insert into documents (object_key, extension, mimetype, size, sha256, id, uploaded_by, name, description, visibility, tags)
         values ($1, $2, $3, $4, $5, $6, 'somebody', 'x', '', 'private', '{}')`,
        [...file, id],
      );
      await client.query(
        `insert into document_versions (object_key, extension, mimetype, size, sha256, document_id, number, uploaded_by)
         values ($1, $2, $3, $4, $5, $6, 1, 'somebody')`,
        [...file, id],
      );
    };
    await insertDocument('a', 'image/jpeg');
    await insertDocument('b', 'text/plain');
    await insertDocument('c', 'image/png');
    await insertDocument('d', 'image/svg+xml');
    const { rows } = await client.query('select object_key, state from thumbnails order by object_key');
    expect(rows).toEqual([
      { object_key: 'documents/a/1', state: 'pending' },
      { object_key: 'documents/c/1', state: 'pending' },
    ]);
    await client.query(`delete from documents where id = 'a'`);
    expect((await client.query('select from thumbnails')).rowCount).toBe(1);
  } finally {
    await client.end();
  }
});
