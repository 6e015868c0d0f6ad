import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import type { Document } from '@atrium/proto-events/http/documents';
import type { Preview } from '@atrium/proto-events/http/previews';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { makeHugeImage, makePhoto } from '@atrium/test-kit/make-photo';
import { buildUser } from '@atrium/test-kit/build-user';
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

const call = (path: string, as: keyof People = 'uploader', method = 'GET', of = started) =>
  of.service.call(method, `/documents${path}`, { as: of.people[as] });
const make = (options: Omit<UploadOptions, 'as'>, of = started) =>
  createDocument(of.service, { ...options, as: of.people.uploader });
const read = async (id: string, of = started) =>
  (await call(`/${id}?link=false`, 'uploader', 'GET', of)).body as Document;
const look = async (id: string, query = '', of = started) =>
  (await call(`/${id}/preview${query}`, 'uploader', 'GET', of)).body as Preview;
const withThumbnail = (id: string, of = started) =>
  waitFor(async () => (await read(id, of)).thumbnail, { description: 'the thumbnail', timeoutMs: 60_000 });
const bytesAt = async (url: string | undefined) => Buffer.from(await (await fetch(url ?? 'none:')).arrayBuffer());
const keysOf = async (id: string, of = started) =>
  (await of.objectKeys()).filter((key) => key.startsWith(`documents/${id}/`));

describe('an uploaded image', () => {
  it('has an upright thumbnail without metadata in every response, with a stable link', async () => {
    const { _id, thumbnail: atFirst } = await make({ content: await makePhoto(1_200, 900), fileName: 'photo.jpg' });
    expect(atFirst).toBeNull();
    const thumbnail = await withThumbnail(_id);
    expect(thumbnail).toMatchObject({ width: 360, height: 480 });
    const answer = await fetch(thumbnail.url);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=300');
    const { exif, orientation, width } = await sharp(await answer.arrayBuffer()).metadata();
    expect({ exif, orientation, width }).toEqual({ width: 360 });
    const { data } = (await call('?limit=100')).body as { data: Document[] };
    expect(data.find((one) => one._id === _id)?.thumbnail).toEqual(thumbnail);
    const person = (await call('/limits')).body as { usedBytes: number };
    const { rows } = {
      rows: await started.service.query(`select sum(size)::int as n from objects where owner_id <> ''`),
    };
    // Thumbnails do not count toward the quota.
    expect(person.usedBytes).toBe(rows[0]?.n);
  });

  it('has a preview without metadata, and downloads unchanged', async () => {
    const content = await makePhoto(3_000, 2_000);
    const { _id } = await make({ content, fileName: 'photo.jpg' });
    await withThumbnail(_id);
    const preview = await look(_id);
    expect(preview).toMatchObject({ state: 'ready', mimetype: 'image/webp' });
    const bytes = await bytesAt(preview.url);
    const { exif, orientation, width, height } = await sharp(bytes).metadata();
    expect({ exif, orientation, width, height }).toEqual({ width: 1_365, height: 2_048 });
    expect(bytes.includes('Secretcam')).toBe(false);
    const { downloadUrl } = (await call(`/${_id}`)).body as Document;
    expect((await bytesAt(downloadUrl)).equals(Buffer.from(content))).toBe(true);
  });

  it('is not visible to users without access, and is deleted with its thumbnails', async () => {
    const { _id } = await make({ content: await makePhoto(500, 400), fileName: 'photo.jpg' });
    await withThumbnail(_id);
    expect((await call(`/${_id}/preview`, 'stranger')).status).toBe(404);
    expect(await keysOf(_id)).toHaveLength(3);
    await call(`/${_id}`, 'uploader', 'DELETE');
    expect(await keysOf(_id)).toHaveLength(3);
    await call(`/trash/${_id}`, 'uploader', 'DELETE');
    await waitFor(async () => (await keysOf(_id)).length === 0, { description: 'all three objects to be removed' });
    expect(await started.service.query('select from objects where object_key like $1', [`documents/${_id}/%`])).toEqual(
      [],
    );
  });

  it('keeps its thumbnails while a version refers to it, with one per version', async () => {
    const { _id } = await make({ content: await makePhoto(500, 401), fileName: 'first.jpg' });
    await withThumbnail(_id);
    const form = new FormData();
    form.append('file', new Blob([await makePhoto(300, 301)]), 'second.jpg');
    const headers = { authorization: `Bearer ${await started.service.tokens.sign(started.people.uploader)}` };
    await fetch(`${started.service.url}/api/documents/${_id}/versions`, { method: 'POST', headers, body: form });
    expect(await withThumbnail(_id)).toMatchObject({ width: 301, height: 300 });
    const first = await look(_id, '?version=1');
    expect((await sharp(await bytesAt(first.url)).metadata()).width).toBe(401);
    await call(`/${_id}/versions/1/restore`, 'uploader', 'POST');
    expect((await read(_id)).thumbnail).toMatchObject({ width: 385, height: 480 });
  });

  it('that is malicious ends its worker and has no thumbnail, without affecting others', async () => {
    const [bomb, broken] = await Promise.all([
      make({ content: await makeHugeImage(20_000, 20_000), fileName: 'bomb.png' }),
      make({ content: (await makePhoto(900, 900)).slice(0, 300), fileName: 'broken.jpg' }),
    ]);
    const good = await make({ content: await makePhoto(90, 91), fileName: 'good.jpg' });
    await withThumbnail(good._id);
    for (const { _id } of [bomb, broken]) {
      await waitFor(async () => (await read(_id)).thumbnail === undefined, {
        description: 'the last attempt',
        timeoutMs: 60_000,
      });
      expect(await keysOf(_id)).toHaveLength(1);
    }
    for (const [{ _id }, reason] of [
      [bomb, 'too-large'],
      [broken, 'damaged'],
    ] as const) {
      expect(await look(_id)).toEqual({ state: 'none', reason });
      expect(await read(_id)).toMatchObject({ thumbnailError: reason });
      const { data } = (await call('?limit=100')).body as { data: Document[] };
      expect(data.find((one) => one._id === _id)).toMatchObject({ thumbnailError: reason });
    }
    expect(
      await started.service.query(
        `select t.reason from thumbnails t join documents d on d.object_key = t.object_key where d.id = any($1) order by t.reason`,
        [[bomb._id, broken._id]],
      ),
    ).toEqual([{ reason: 'damaged' }, { reason: 'too-large' }]);
    expect((await make({ content: 'text' })).thumbnail).toBeUndefined();
  });

  it('lost by the store before rendering is not retried until it is restored', async () => {
    const { service } = started;
    const lost = await make({ content: await makePhoto(321, 123), fileName: 'photo.jpg' });
    await withThumbnail(lost._id);
    const lostImage = '(select object_key from documents where id = $1)';
    const note = (missing: string) =>
      service.query(`update objects set missing_since = ${missing} where object_key = ${lostImage}`, [lost._id]);
    await note('now()');
    // Newest, so it would be rendered first.
    await service.query(
      `update thumbnails set state = 'pending', not_before = now(), requested_at = now() + interval '1 hour',
         thumbnail_key = null, preview_key = null, width = null, height = null where object_key = ${lostImage}`,
      [lost._id],
    );
    expect(await look(lost._id)).toEqual({ state: 'none' });
    expect(await read(lost._id)).not.toHaveProperty('thumbnail');
    await withThumbnail((await make({ content: await makePhoto(322, 123), fileName: 'other.jpg' }))._id);
    expect(
      await service.query(`select state, unfinished, tries from thumbnails where object_key = ${lostImage}`, [
        lost._id,
      ]),
    ).toEqual([{ state: 'pending', unfinished: 0, tries: 0 }]);
    await note('null');
    expect(await withThumbnail(lost._id)).toMatchObject({ width: expect.any(Number) });
  });

  it('whose thumbnails were lost is rendered again after the next sweep', async () => {
    const { _id } = await make({ content: await makePhoto(444, 333), fileName: 'photo.jpg' });
    const thumbnail = await withThumbnail(_id);
    const { service, objects, bucket } = started;
    for (const key of await keysOf(_id)) if (key.endsWith('.webp')) await objects.removeObject(bucket.bucket, key);
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore({ config: readConfig(service.env), prefix: 'documents/', log });
    try {
      expect(await sweepObjects({ db, store, log }, new Date(0))).toMatchObject({ missing: 2, orphans: 0 });
      await waitFor(async () => (await keysOf(_id)).length === 3, {
        description: 'the thumbnails to be rendered again',
      });
      expect(await withThumbnail(_id)).toMatchObject({ width: thumbnail.width });
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
  const line = await createFaultyProxy(started.bucket.endpoint);
  const cut = await startDocuments({ S3_ENDPOINT: line.url });
  try {
    const { _id } = await make({ content: await makePhoto(640, 480), fileName: 'photo.jpg' }, cut);
    await withThumbnail(_id, cut);
    line.cut();
    await waitFor(async () => (await call(`/${_id}/preview`, 'uploader', 'GET', cut)).status === 503, {
      description: 'the outage to be detected',
    });
    expect((await read(_id, cut)).thumbnail).toBeUndefined();
    await cut.service.query(`update thumbnails set state = 'pending', not_before = now()`);
    expect((await call(`/${_id}/preview`, 'uploader', 'GET', cut)).status).toBe(503);
    line.restore();
    await waitFor(async () => (await look(_id, '', cut)).state === 'ready', {
      description: 'the preview',
      timeoutMs: 60_000,
    });
  } finally {
    await cut.service.close();
    await line.close();
  }
});

it('a thumbnail is rendered once after its process was killed, with nothing left behind', async () => {
  const uploader = buildUser({});
  const place = await openTestEnvironment([uploader]);
  const first = await place.start();
  const headers = { authorization: `Bearer ${await place.tokens.sign(uploader)}` };
  const form = new FormData();
  form.append('file', new Blob([await makePhoto(9_000, 9_000)]), 'large.jpg');
  const answer = await fetch(`${first.url}/api/documents/upload`, { method: 'POST', headers, body: form });
  const { _id } = (await answer.json()) as Document;
  const client = new pg.Client({ connectionString: place.env.DATABASE_URL });
  await client.connect();
  try {
    const rowOf = async () => (await client.query('select state, unfinished from thumbnails')).rows[0];
    await waitFor(async () => (await rowOf())?.unfinished === 1, { description: 'a worker to start' });
    await first.end('SIGKILL');
    expect(await rowOf()).toEqual({ state: 'pending', unfinished: 1 });
    // As if the lease had expired.
    await client.query('update thumbnails set not_before = now()');
    const second = await place.start();
    try {
      const read = async () =>
        (await (await fetch(`${second.url}/api/documents/${_id}`, { headers })).json()) as Document;
      const thumbnail = await waitFor(async () => (await read()).thumbnail, {
        description: 'the thumbnail',
        timeoutMs: 60_000,
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

it('queues thumbnails for images only, and deletes them with their document', async () => {
  const url = await testDatabase('documents_queue');
  await migrate(url, documentsService.migrations);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const upload = async (id: string, mimetype: string) => {
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
    await upload('a', 'image/jpeg');
    await upload('b', 'text/plain');
    await upload('c', 'image/png');
    await upload('d', 'image/svg+xml');
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
