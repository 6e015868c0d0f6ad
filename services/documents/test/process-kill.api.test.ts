import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { s3Env } from '@atrium/object-store/s3/config';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import { createS3Client } from '@atrium/object-store/s3/s3-client';
import type { DocumentUpload, UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { buildUser } from '@atrium/test-kit/build-user';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import type { ServiceProcess } from '@atrium/test-kit/start-service-process';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { openTestEnvironment } from './start-process.ts';
import { beginUpload, callUploads, putPart } from './upload-parts.ts';

/**
 * Kills the service at random points of uploads, new versions, and deletions. Afterward, no acknowledged change may be
 * lost, and the store must contain nothing unrecorded. `KILLS="<kills> <seed>"` sets the number of kills or repeats a
 * run.
 */
const [KILLS = 6, SEED = 20_261_125] = (process.env.KILLS ?? '').split(' ').filter(Boolean).map(Number);
const CONCURRENT_WORKERS = 4;
const MIB = 1024 * 1024;
/** Sizes of few kinds of content, so that many files are identical. The largest needs several store parts. */
const SIZES = [10, 1_000, 70_000, 6 * MIB];
/** The kind of content that is uploaded in parts. */
const IN_PARTS = 100;

const uploader = buildUser();
const random = createSeededRandom(SEED);
const randomBelow = (limit: number) => Math.floor(random() * limit);
const buildContent = (kind: number) =>
  Buffer.alloc(kind === IN_PARTS ? 8 * MIB + 5 : (SIZES[kind % SIZES.length] ?? 1), `content ${kind} `);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * What the service acknowledged: the hash of each document's file, or that the document was deleted. `?` while a
 * request is in flight. `count` is the number of completed operations.
 */
type Acknowledged = { files: Map<string, string | 'deleted' | '?'>; count: number };

async function send(service: ServiceProcess, method: string, path: string, content?: Buffer): Promise<unknown> {
  const body = content && new FormData();
  body?.set('file', new Blob([Uint8Array.from(content ?? [])]), 'file.txt');
  const headers = { authorization: `Bearer ${await service.tokens.sign(uploader)}` };
  const response = await fetch(`${service.url}/api/documents${path}`, { method, headers, ...(body && { body }) });
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

/** Performs operations sequentially until the service is killed. Resumes unfinished uploads first. */
async function runWorker(
  service: ServiceProcess,
  acknowledged: Acknowledged,
  isOver: () => boolean,
  unfinishedUploads: UnfinishedUpload[],
): Promise<void> {
  while (!isOver()) {
    try {
      const unfinishedUpload = unfinishedUploads.pop();
      if (unfinishedUpload) await finishUpload(service, unfinishedUpload);
      else await performRandomOperation(service, acknowledged.files);
      acknowledged.count += 1;
    } catch (error) {
      if (!isOver()) throw error;
    }
  }
}

/** Uploads parts, one of them twice; occasionally cancels the upload. */
async function sendInParts(service: ServiceProcess, content: Buffer, document?: string): Promise<Document | undefined> {
  const upload = await beginUpload(service, {
    as: uploader,
    content,
    fields: document === undefined ? {} : { document },
  });
  const count = Math.ceil(content.length / upload.partBytes);
  for (const number of [count, ...Array.from({ length: count }, (_, index) => index + 1)])
    assertStatus(await putPart(service, { as: uploader, upload, content, number }), 204);
  if (randomBelow(4) === 0) {
    assertStatus((await callUploads(service, 'DELETE', `/${upload._id}`, { as: uploader })).status, 204);
    return undefined;
  }
  const { status, body } = await callUploads<Document>(service, 'POST', `/${upload._id}/complete`, { as: uploader });
  assertStatus(status, 201);
  return body;
}

const listUnfinished = async (service: ServiceProcess) =>
  (await callUploads<{ data: UnfinishedUpload[] }>(service, 'GET', '', { as: uploader })).body.data;

/** Resumes an earlier upload. The document that it adds a version to may have been deleted. */
async function finishUpload(service: ServiceProcess, { _id }: UnfinishedUpload): Promise<void> {
  const content = buildContent(IN_PARTS);
  const upload = (await callUploads<DocumentUpload>(service, 'GET', `/${_id}`, { as: uploader })).body;
  for (const number of [1, 2].filter((number) => !upload.parts.includes(number)))
    assertStatus(await putPart(service, { as: uploader, upload, content, number }), 204);
  const { status, body } = await callUploads<Document>(service, 'POST', `/${_id}/complete`, { as: uploader });
  if (status === 404) assertStatus((await callUploads(service, 'DELETE', `/${_id}`, { as: uploader })).status, 204);
  else expect({ status, sha256: body.sha256 }).toEqual({ status: 201, sha256: hashOf(content) });
}

function assertStatus(status: number, expected: number): void {
  if (status !== expected) throw new Error(`The response status was ${status}, expected ${expected}`);
}

async function performRandomOperation(service: ServiceProcess, files: Acknowledged['files']): Promise<void> {
  const content = buildContent(randomBelow(12));
  const isInParts = randomBelow(3) === 0;
  const knownFiles = [...files].filter(([, state]) => state !== 'deleted' && state !== '?');
  const [id] = knownFiles[randomBelow(knownFiles.length + 1)] ?? [];
  if (id === undefined && isInParts) {
    const document = await sendInParts(service, buildContent(IN_PARTS));
    if (document) files.set(document._id, document.sha256);
    return;
  }
  if (id === undefined) {
    const { _id } = (await send(service, 'POST', '/upload', content)) as Document;
    files.set(_id, hashOf(content));
    return;
  }
  // Reserves the document for this worker.
  files.set(id, '?');
  if (isInParts) {
    const unchanged = (await send(service, 'GET', `/${id}?link=false`)) as Document;
    files.set(id, ((await sendInParts(service, buildContent(IN_PARTS), id)) ?? unchanged).sha256);
    return;
  }
  if (randomBelow(2) === 0) {
    const { sha256 } = (await send(service, 'POST', `/${id}/versions`, content)) as Document;
    files.set(id, sha256);
    return;
  }
  await send(service, 'DELETE', `/${id}`);
  await send(service, 'DELETE', `/trash/${id}`);
  files.set(id, 'deleted');
}

const queryRows = async (db: Db, sql: string) => (await db.query<Record<string, string>>(sql)).rows;

it(
  `the service loses no acknowledged write and leaves nothing behind when killed ${KILLS} times (seed ${SEED})`,
  async () => {
    const environment = await openTestEnvironment([uploader], {
      MAX_CONCURRENT_UPLOADS_PER_USER: '4',
      USER_STORAGE_QUOTA_BYTES: '0',
    });
    const acknowledged: Acknowledged = { files: new Map(), count: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await environment.start();
      let isOver = false;
      const unfinishedUploads = await listUnfinished(service);
      const workers = Array.from({ length: CONCURRENT_WORKERS }, () =>
        runWorker(service, acknowledged, () => isOver, unfinishedUploads),
      );
      // Kills only after an operation has completed, even on slow machines.
      const initialCount = acknowledged.count;
      await waitFor(() => acknowledged.count > initialCount, { description: 'some progress' });
      await delay(randomBelow(1_000));
      isOver = true;
      await service.end('SIGKILL');
      await Promise.all(workers);
    }
    const service = await environment.start();
    const log = createLogger('test', 'silent');
    const db = createDb(environment.env.DATABASE_URL, 2, log);
    const store = createObjectStore({ config: s3Env.parse(environment.env), prefix: 'documents/', log });
    try {
      for (const unfinishedUpload of await listUnfinished(service)) await finishUpload(service, unfinishedUpload);
      expect(await listUnfinished(service)).toEqual([]);
      // Simulates the retention rule after a day.
      await queryRows(db, 'delete from document_uploads');
      await sweepObjects({ db, store, log }, new Date(Date.now() + 60_000));
      const client = createS3Client(s3Env.parse(environment.env), 10_000);
      const { uploads } = await client.listIncompleteUploadsQuery(environment.env.S3_BUCKET, '', '', '', '');
      expect(uploads.map(({ key }) => key)).toEqual([]);
      const listQueuedRemovals = () => queryRows(db, 'select object_key from objects_to_delete');
      await waitFor(async () => (await listQueuedRemovals()).length === 0, {
        description: 'abandoned objects to be removed',
      });

      const storedKeys: string[] = [];
      for await (const { key } of store.list()) storedKeys.push(key);
      const referencedObjects = await queryRows(
        db,
        `select object_key, min(sha256) as sha256, count(*) as n from document_versions
         group by object_key order by object_key collate "C"`,
      );
      expect(storedKeys).toEqual(referencedObjects.map((row) => row.object_key));
      const recordedObjects = await queryRows(
        db,
        'select object_key, sha256, reference_count as n from objects order by object_key',
      );
      expect(recordedObjects).toEqual(referencedObjects);
      for (const { object_key: objectKey = '', sha256 } of referencedObjects) {
        const link = store.link({ objectKey, contentType: 'text/plain', disposition: 'attachment' }) ?? '';
        expect(hashOf(new Uint8Array(await (await fetch(link)).arrayBuffer()))).toBe(sha256);
      }
      const currentHashes = new Map(
        (await queryRows(db, 'select id, sha256 from documents')).map((row) => [row.id, row.sha256]),
      );
      const knownFiles = [...acknowledged.files].filter(([, state]) => state !== '?');
      expect(knownFiles.length).toBeGreaterThan(0);
      for (const [id, state] of knownFiles) expect([id, currentHashes.get(id) ?? 'deleted']).toEqual([id, state]);
      expect((await sweepObjects({ db, store, log }, new Date(Date.now() + 60_000))).orphans).toBe(0);
    } finally {
      store.close();
      await db.pool.end();
      await service.end('SIGTERM');
    }
  },
  600_000 + KILLS * 10_000,
);
