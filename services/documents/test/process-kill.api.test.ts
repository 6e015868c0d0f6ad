import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
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
import { ask, begin, put } from './upload-parts.ts';

/**
 * Kills the service at random points of uploads, new versions, and deletions; then no acknowledged change is
 * lost, and the store contains nothing unrecorded. `KILLS="<kills> <seed>"` sets the number of kills or repeats a run.
 */
const [KILLS = 6, SEED = 20_261_125] = (process.env.KILLS ?? '').split(' ').filter(Boolean).map(Number);
const AT_ONCE = 4;
const MIB = 1024 * 1024;
/** Few kinds of content, so that many are identical; the largest is a multipart upload. */
const SIZES = [10, 1_000, 70_000, 6 * MIB];
/** Index of the content uploaded in parts. */
const LARGE = 100;

const person = buildUser();
const random = createSeededRandom(SEED);
/** Random integer below a limit. */
const below = (most: number) => Math.floor(random() * most);
const contentOf = (kind: number) =>
  Buffer.alloc(kind === LARGE ? 8 * MIB + 5 : (SIZES[kind % SIZES.length] ?? 1), `content ${kind} `);
const shaOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Acknowledged state: the file of each document, or that it was deleted; `?` while a request is unanswered. */
type AcknowledgedFiles = { files: Map<string, string | 'deleted' | '?'>; done: number };

async function send(service: ServiceProcess, method: string, path: string, content?: Buffer): Promise<unknown> {
  const body = content && new FormData();
  body?.set('file', new Blob([Uint8Array.from(content ?? [])]), 'file.txt');
  const headers = { authorization: `Bearer ${await service.tokens.sign(person)}` };
  const response = await fetch(`${service.url}/api/documents${path}`, { method, headers, ...(body && { body }) });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

/** Sequential operations until the service is killed. */
async function work(
  service: ServiceProcess,
  acknowledged: AcknowledgedFiles,
  isOver: () => boolean,
  left: UnfinishedUpload[],
): Promise<void> {
  while (!isOver()) {
    try {
      const before = left.pop();
      if (before) await finish(service, before);
      else await doSomething(service, acknowledged.files);
      acknowledged.done += 1;
    } catch (error) {
      if (!isOver()) throw error;
    }
  }
}

/** Uploads parts, one of them twice; occasionally cancels the upload. */
async function sendInParts(service: ServiceProcess, content: Buffer, document?: string): Promise<Document | undefined> {
  const upload = await begin(service, { as: person, content, fields: document === undefined ? {} : { document } });
  const count = Math.ceil(content.length / upload.partBytes);
  for (const number of [count, ...Array.from({ length: count }, (_, index) => index + 1)])
    assertStatus(await put(service, { as: person, upload, content, number }), 204);
  if (below(4) === 0) {
    assertStatus((await ask(service, 'DELETE', `/${upload._id}`, { as: person })).status, 204);
    return undefined;
  }
  const { status, body } = await ask<Document>(service, 'POST', `/${upload._id}/complete`, { as: person });
  assertStatus(status, 201);
  return body;
}

const listUnfinished = async (service: ServiceProcess) =>
  (await ask<{ data: UnfinishedUpload[] }>(service, 'GET', '', { as: person })).body.data;

/** Resumes an earlier upload like its owner. The target document may have been deleted. */
async function finish(service: ServiceProcess, { _id }: UnfinishedUpload): Promise<void> {
  const content = contentOf(LARGE);
  const upload = (await ask<DocumentUpload>(service, 'GET', `/${_id}`, { as: person })).body;
  for (const number of [1, 2].filter((number) => !upload.parts.includes(number)))
    assertStatus(await put(service, { as: person, upload, content, number }), 204);
  const { status, body } = await ask<Document>(service, 'POST', `/${_id}/complete`, { as: person });
  if (status === 404) assertStatus((await ask(service, 'DELETE', `/${_id}`, { as: person })).status, 204);
  else expect({ status, sha256: body.sha256 }).toEqual({ status: 201, sha256: shaOf(content) });
}

function assertStatus(status: number, expected: number): void {
  if (status !== expected) throw new Error(`The response status was ${status}, expected ${expected}`);
}

async function doSomething(service: ServiceProcess, acknowledged: AcknowledgedFiles['files']): Promise<void> {
  const content = contentOf(below(12));
  const isInParts = below(3) === 0;
  const known = [...acknowledged].filter(([, state]) => state !== 'deleted' && state !== '?');
  const [id] = known[below(known.length + 1)] ?? [];
  if (id === undefined && isInParts) {
    const document = await sendInParts(service, contentOf(LARGE));
    if (document) acknowledged.set(document._id, document.sha256);
    return;
  }
  if (id === undefined) {
    const { _id } = (await send(service, 'POST', '/upload', content)) as Document;
    acknowledged.set(_id, shaOf(content));
    return;
  }
  // Reserved for this worker.
  acknowledged.set(id, '?');
  if (isInParts) {
    const before = (await send(service, 'GET', `/${id}?link=false`)) as Document;
    acknowledged.set(id, ((await sendInParts(service, contentOf(LARGE), id)) ?? before).sha256);
    return;
  }
  if (below(2) === 0) {
    const { sha256 } = (await send(service, 'POST', `/${id}/versions`, content)) as Document;
    acknowledged.set(id, sha256);
    return;
  }
  await send(service, 'DELETE', `/${id}`);
  await send(service, 'DELETE', `/trash/${id}`);
  acknowledged.set(id, 'deleted');
}

const rowsOf = async (db: Db, sql: string) => (await db.query<Record<string, string>>(sql)).rows;

it(
  `loses no acknowledged write and leaves nothing behind when killed ${KILLS} times (seed ${SEED})`,
  async () => {
    const place = await openTestEnvironment([person], {
      MAX_CONCURRENT_UPLOADS_PER_USER: '4',
      USER_STORAGE_QUOTA_BYTES: '0',
    });
    const acknowledged: AcknowledgedFiles = { files: new Map(), done: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await place.start();
      let isOver = false;
      const left = await listUnfinished(service);
      const workers = Array.from({ length: AT_ONCE }, () => work(service, acknowledged, () => isOver, left));
      // Makes progress in every round, even on slow machines.
      const before = acknowledged.done;
      await waitFor(() => acknowledged.done > before, { description: 'some progress' });
      await pause(below(1_000));
      isOver = true;
      await service.end('SIGKILL');
      await Promise.all(workers);
    }
    const service = await place.start();
    const log = createLogger('test', 'silent');
    const db = createDb(place.env.DATABASE_URL, 2, log);
    const store = createObjectStore({ config: s3Env.parse(place.env), prefix: 'documents/', log });
    try {
      for (const left of await listUnfinished(service)) await finish(service, left);
      expect(await listUnfinished(service)).toEqual([]);
      // As if a day had passed.
      await rowsOf(db, 'delete from document_uploads');
      await sweepObjects({ db, store, log }, new Date(Date.now() + 60_000));
      const client = createS3Client(s3Env.parse(place.env), 10_000);
      const { uploads } = await client.listIncompleteUploadsQuery(place.env.S3_BUCKET, '', '', '', '');
      expect(uploads.map(({ key }) => key)).toEqual([]);
      const waiting = () => rowsOf(db, 'select object_key from objects_to_delete');
      await waitFor(async () => (await waiting()).length === 0, { description: 'abandoned objects to be removed' });

      const storedKeys: string[] = [];
      for await (const { key } of store.list()) storedKeys.push(key);
      const referencedObjects = await rowsOf(
        db,
        `select object_key, min(sha256) as sha256, count(*) as n from document_versions
         group by object_key order by object_key collate "C"`,
      );
      expect(storedKeys).toEqual(referencedObjects.map((row) => row.object_key));
      const counted = await rowsOf(
        db,
        'select object_key, sha256, reference_count as n from objects order by object_key',
      );
      expect(counted).toEqual(referencedObjects);
      for (const { object_key: objectKey = '', sha256 } of referencedObjects) {
        const link = store.link({ objectKey, contentType: 'text/plain', disposition: 'attachment' }) ?? '';
        expect(shaOf(new Uint8Array(await (await fetch(link)).arrayBuffer()))).toBe(sha256);
      }
      const present = new Map(
        (await rowsOf(db, 'select id, sha256 from documents')).map((row) => [row.id, row.sha256]),
      );
      const known = [...acknowledged.files].filter(([, state]) => state !== '?');
      expect(known.length).toBeGreaterThan(0);
      for (const [id, state] of known) expect([id, present.get(id) ?? 'deleted']).toEqual([id, state]);
      expect((await sweepObjects({ db, store, log }, new Date(Date.now() + 60_000))).orphans).toBe(0);
    } finally {
      store.close();
      await db.pool.end();
      await service.end('SIGTERM');
    }
  },
  60_000 + KILLS * 10_000,
);
