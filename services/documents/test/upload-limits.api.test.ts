import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments, upload } from './factories.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
let started: Started;
beforeAll(async () => {
  started = await startDocuments({
    MAX_CONCURRENT_UPLOADS: '4',
    MIN_UPLOAD_BYTES_PER_SECOND: '1000',
    UPLOAD_STALL_WINDOW_SECONDS: '2',
    USER_STORAGE_QUOTA_BYTES: String(MIB),
    WORKSPACE_STORAGE_QUOTA_BYTES: String(2.5 * MIB),
    MAX_UPLOAD_BYTES: String(800 * KIB),
  });
});
afterAll(() => started.service.close());

const timers: NodeJS.Timeout[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
  for (const socket of sockets.splice(0)) socket.destroy();
});

const PART_HEADER = '--b\r\nContent-Disposition: form-data; name="file"; filename="slow.bin"\r\n\r\n';

/** Starts a form upload that sends bytes five times per second and never ends. */
async function startSlowUpload(
  as: DirectoryUser,
  { bytes, declaredBytes = 500 * KIB }: { bytes: number; declaredBytes?: number },
) {
  const { port } = new URL(started.service.url);
  const token = await started.service.tokens.sign(as);
  const socket = connect(Number(port), '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    `POST /api/documents/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${declaredBytes}\r\n\r\n${PART_HEADER}`,
  );
  timers.push(setInterval(() => socket.writable && socket.write(Buffer.alloc(bytes, 'x')), 200));
  return { socket, closed, received: () => received, status: () => /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] };
}

describe('form uploads of a user', () => {
  it('leave slots for other users, and are rejected if too many are waiting', async () => {
    const { service, people } = started;
    const uploads = await Promise.all(Array.from({ length: 12 }, () => startSlowUpload(people.friend, { bytes: 400 })));
    const countRejected = () => uploads.filter(({ status }) => status() === '503').length;
    // Two run and eight are queued.
    await waitFor(() => countRejected() === 2, { description: 'the others to be rejected' });
    expect((await upload(service, { as: people.uploader })).status).toBe(201);
    expect(countRejected()).toBe(2);
    for (const { socket } of uploads) socket.destroy();
    await waitFor(async () => (await upload(service, { as: people.friend })).status === 201, {
      description: 'their own slot',
    });
  });

  it('are aborted below the minimum rate', async () => {
    const { people, objectKeys } = started;
    const keys = await objectKeys();
    const slow = await startSlowUpload(people.friend, { bytes: 20 });
    await waitFor(() => slow.status(), { description: 'a response' });
    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(slow.received()).toContain('The upload was too slow and was stopped. Please try again.');
    await slow.closed;
    expect(await objectKeys()).toEqual(keys);
  });

  it('are rejected for their declared size immediately, without reading the rest', async () => {
    const upload = await startSlowUpload(started.people.friend, { bytes: 400, declaredBytes: 1024 * MIB });
    await waitFor(() => upload.status(), { description: 'a response' });
    expect(upload.received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(upload.received()).toContain('The file is larger than 800 KB');
    await upload.closed;
  });
});

describe('GET /documents/limits', () => {
  const getLimits = async (as: DirectoryUser) => {
    const { status, body } = await started.service.call('GET', '/documents/limits', { as });
    expect(status).toBe(200);
    return body;
  };

  it('returns the maximum file size and the remaining quota', async () => {
    const { service, people } = started;
    expect(await getLimits(people.manager)).toEqual({
      maxFileBytes: 800 * KIB,
      usedBytes: 0,
      quotaBytes: MIB,
      availableBytes: MIB,
    });
    const { _id } = await createDocument(service, { as: people.manager, content: randomBytes(700 * KIB) });
    const remaining = { usedBytes: 700 * KIB, availableBytes: 324 * KIB };
    expect(await getLimits(people.manager)).toMatchObject(remaining);
    const rejected = await upload(service, { as: people.manager, content: randomBytes(325 * KIB) });
    expect(rejected).toMatchObject({
      status: 413,
      body: {
        code: 'too_large',
        message:
          'You have 324 KB left of your 1 MB for documents, and this file is larger. Delete documents that you no longer need, and empty the trash, or ask an administrator for more.',
      },
    });
    const remove = (path: string) => service.call('DELETE', path, { as: people.manager });
    expect(await remove(`/documents/${_id}`)).toMatchObject({ status: 204 });
    // Restorable documents count toward the quota.
    expect(await getLimits(people.manager)).toMatchObject({ usedBytes: 700 * KIB });
    expect(await remove(`/documents/trash/${_id}`)).toMatchObject({ status: 204 });
    expect(await getLimits(people.manager)).toMatchObject({ usedBytes: 0 });
  });

  it('enforces the quota for concurrent uploads', async () => {
    const { service, people, objectKeys } = started;
    // Objects deleted by earlier tests may still be removed.
    const before = await objectKeys();
    const countNewObjects = async () => (await objectKeys()).filter((key) => !before.includes(key)).length;
    const send = () => upload(service, { as: people.colleague, content: randomBytes(600 * KIB) });
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 413]);
    await waitFor(async () => (await countNewObjects()) === 1, { description: 'the other object to be removed' });
  });

  it('includes the workspace quota', async () => {
    const { service, people } = started;
    await createDocument(service, { as: people.admin, content: randomBytes(700 * KIB) });
    await createDocument(service, { as: people.uploader, content: randomBytes(700 * KIB) });
    const rejected = await upload(service, { as: people.stranger, content: randomBytes(790 * KIB) });
    expect(rejected.status).toBe(413);
    expect(rejected.body).toMatchObject({
      message: expect.stringMatching(
        /^The workspace has [\d.]+ KB left for documents, and this file is larger\. Please ask an administrator\.$/,
      ),
    });
    const { availableBytes } = (await getLimits(people.stranger)) as { availableBytes: number };
    expect(availableBytes).toBeLessThan(790 * KIB);
  });

  it('requires sign-in', async () => {
    expect((await started.service.call('GET', '/documents/limits')).status).toBe(401);
  });
});
