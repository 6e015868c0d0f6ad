import { randomBytes } from 'node:crypto';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Document } from '@atrium/proto-events/http/documents';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createUser, expectStatus, send, setUpWorkspace } from '../workspace/workspace.ts';
import { withToken } from './authorization/roles/role-fixture.ts';

/** A file that is larger than any other body that the gateway accepts. */
const content = randomBytes(3 * 1024 * 1024);
let system: System;
let sender: Client;
let reader: Client;
let conversation: string;

beforeAll(async () => {
  system = await startSystem();
  const admin = await setUpWorkspace(system.url);
  sender = await createUser(system.url, admin, { first: 'Lena', role: 'member' });
  reader = await createUser(system.url, admin, { first: 'Ben', role: 'member' });
  const body = { type: 'direct', participants: [reader.id] };
  conversation = (await expectStatus(sender.call<{ _id: string }>('POST', '/chat/conversations', body), 201))._id;
});
afterAll(() => system?.stop());

const buildForm = (fileField: string, fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(fileField, new Blob([content]), 'plan.bin');
  return form;
};
const post = <T>(path: string, as: Client, body: FormData) => send<T>(`${system.url}/api${path}`, withToken(as, body));
const download = async (url = '') => Buffer.from(await (await fetch(url)).arrayBuffer());
/** Returns the number of messages that a process has created. */
const countCreatedMessages = async (name: string) =>
  Number(
    /^http_request_duration_seconds_count\{(?=[^}]*method="POST")(?=[^}]*route="\/chat\/messages")[^}]*\} (\d+)/m.exec(
      await (await fetch(`${system.internalUrl(name)}/metrics`)).text(),
    )?.[1] ?? 0,
  );

describe('a file in chat', () => {
  it('is received by chat-files, can be downloaded, and can be saved as a document with new versions', async () => {
    const sent = await expectStatus(
      post<Message>('/chat/messages', sender, buildForm('attachments', { conversation })),
      201,
    );
    expect([await countCreatedMessages('chat-files'), await countCreatedMessages('chat')]).toEqual([1, 0]);
    const [file] = sent.attachments ?? [];
    expect(file).toMatchObject({ name: 'plan.bin', size: content.length });
    const attachment = await expectStatus(
      reader.call<{ downloadUrl: string }>('GET', `/chat/attachments/${file?._id}`),
      200,
    );
    expect((await download(attachment.downloadUrl)).equals(content)).toBe(true);

    const saved = await expectStatus(
      reader.call<{ document: string }>('POST', `/chat/attachments/${file?._id}/save`),
      201,
    );
    await expectStatus(sender.call('DELETE', `/chat/messages/${sent._id}`), 204);
    const document = await waitFor(
      async () => {
        const { status, body } = await reader.call<Document>('GET', `/documents/${saved.document}`);
        return status === 200 ? body : undefined;
      },
      { description: 'the document to exist' },
    );
    expect(document).toMatchObject({ name: 'plan.bin', visibility: 'private', uploadedBy: { _id: reader.id } });
    expect((await download(document.downloadUrl)).equals(content)).toBe(true);
    // The new version has the same size but different bytes.
    content.reverse();
    const version = await expectStatus(
      post<Document>(`/documents/${saved.document}/versions`, reader, buildForm('file')),
      201,
    );
    expect(version).toMatchObject({ fileNumber: 2, size: content.length });
  });

  it('cannot be sent while chat-files is down, but text messages can', async () => {
    await system.stopService('chat-files');
    expect((await post('/chat/messages', sender, buildForm('attachments', { conversation }))).status).toBe(503);
    const body = { conversation, content: 'Text only' };
    expect((await sender.call('POST', '/chat/messages', body)).status).toBe(201);
    await system.restart('chat-files');
    await expectStatus(post('/chat/messages', sender, buildForm('attachments', { conversation })), 201);
  });
});
