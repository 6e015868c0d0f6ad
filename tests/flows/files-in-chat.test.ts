import { randomBytes } from 'node:crypto';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Document } from '@atrium/proto-events/http/documents';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearing } from './authorization/roles/role-fixture.ts';
import { type Client, demand, join, send, setUp } from './workspace.ts';

/** More than the gateway holds of any other body. */
const content = randomBytes(3 * 1024 * 1024);
let system: System;
let sender: Client;
let reader: Client;
let conversation: string;

beforeAll(async () => {
  system = await startSystem();
  const admin = await setUp(system.url);
  sender = await join(system.url, admin, { first: 'Lena', role: 'member' });
  reader = await join(system.url, admin, { first: 'Ben', role: 'member' });
  const body = { type: 'direct', participants: [reader.id] };
  conversation = (await demand(sender.call<{ _id: string }>('POST', '/chat/conversations', body), 201))._id;
}, 600_000);
afterAll(() => system?.stop(), 90_000);

const form = (part: string, fields: Record<string, string> = {}) => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  made.set(part, new Blob([content]), 'plan.bin');
  return made;
};
const post = <T>(path: string, as: Client, body: FormData) => send<T>(`${system.url}/api${path}`, bearing(as, body));
const bytesOf = async (url = '') => Buffer.from(await (await fetch(url)).arrayBuffer());
/** How many messages a process has taken. */
const taken = async (name: string) =>
  Number(
    /^http_request_duration_seconds_count\{(?=[^}]*method="POST")(?=[^}]*route="\/chat\/messages")[^}]*\} (\d+)/m.exec(
      await (await fetch(`${system.internalUrl(name)}/metrics`)).text(),
    )?.[1] ?? 0,
  );

describe('a file in chat, through the gateway', () => {
  it('is taken in by the pods without sockets, reaches the other one, and becomes a document of theirs', async () => {
    const sent = await demand(post<Message>('/chat/messages', sender, form('attachments', { conversation })), 201);
    expect([await taken('chat-files'), await taken('chat')]).toEqual([1, 0]);
    const [file] = sent.attachments ?? [];
    expect(file).toMatchObject({ name: 'plan.bin', size: content.length });
    const opened = await demand(reader.call<{ downloadUrl: string }>('GET', `/chat/attachments/${file?._id}`), 200);
    expect((await bytesOf(opened.downloadUrl)).equals(content)).toBe(true);

    const saved = await demand(reader.call<{ document: string }>('POST', `/chat/attachments/${file?._id}/save`), 201);
    await demand(sender.call('DELETE', `/chat/messages/${sent._id}`), 204);
    const document = await waitFor(
      async () => {
        const { status, body } = await reader.call<Document>('GET', `/documents/${saved.document}`);
        return status === 200 ? body : undefined;
      },
      { what: 'the document to be there' },
    );
    expect(document).toMatchObject({ name: 'plan.bin', visibility: 'private', uploadedBy: { _id: reader.id } });
    expect((await bytesOf(document.downloadUrl)).equals(content)).toBe(true);
    // A new version of it is as large.
    content.reverse();
    const version = await demand(post<Document>(`/documents/${saved.document}/versions`, reader, form('file')), 201);
    expect(version).toMatchObject({ fileNumber: 2, size: content.length });
  }, 120_000);

  it('waits for those pods alone: words go on while they are away', async () => {
    await system.stopService('chat-files');
    expect((await post('/chat/messages', sender, form('attachments', { conversation }))).status).toBe(503);
    const body = { conversation, content: 'Words' };
    expect((await sender.call('POST', '/chat/messages', body)).status).toBe(201);
    await system.restart('chat-files');
    await demand(post('/chat/messages', sender, form('attachments', { conversation })), 201);
  }, 120_000);
});
