import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { freePort } from '@atrium/test-kit/free-port';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createGroup, request } from './factories.ts';
import { sendFiles } from './files.ts';
import { startSecondPod } from './pods.ts';
import { people, service } from './running-chat.ts';
import { connectChat, connectLive, createSocket, tryConnect } from './sockets.ts';

let group: Conversation;
beforeEach(async () => {
  group = await createGroup(service, [people.member, people.ben]);
});

const buildMessage = (content: string) => ({
  as: people.member,
  fields: { conversation: group._id, content },
  files: [['notes.txt', content]] as const,
});

describe('a pod with CHAT_ROLE=files', () => {
  it('broadcasts its messages to the sockets of other pods, and accepts no sockets', async () => {
    const pod = await startSecondPod(service, people, { CHAT_ROLE: 'files' });
    try {
      const ben = await connectChat(service, people.ben);
      const message = await sendFiles(pod, buildMessage('through the files pod'));
      const receivedEvent = await ben.receives('message:new', ({ message: { _id } }) => _id === message._id);
      expect(receivedEvent.message).toMatchObject({
        content: 'through the files pod',
        attachments: [{ name: 'notes.txt' }],
      });
      expect(await tryConnect(await createSocket(pod, '/chat', people.ben))).not.toBe('connected');
      // A removal waits for all pods, including this one.
      const startedAt = performance.now();
      await request(service, people.member, [
        'DELETE',
        `/chat/conversations/${group._id}/participants/${people.ben._id}`,
      ]);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
      await sendFiles(pod, buildMessage('not for Ben'));
      const mia = await connectChat(service, people.member);
      await sendFiles(pod, buildMessage('for Mia'));
      await mia.receives('message:new', ({ message: { content } }) => content === 'for Mia');
      expect(ben.all('message:new').map(({ message: { content } }) => content)).toEqual(['through the files pod']);
    } finally {
      await pod.close();
    }
  });

  it('sends its messages to browsers by live updates without Redis', async () => {
    const unreachable = `redis://127.0.0.1:${await freePort()}`;
    const pod = await startSecondPod(service, people, { CHAT_ROLE: 'files', REDIS_URL: unreachable });
    try {
      const ben = await connectLive(service, people.ben);
      const { seq } = await sendFiles(pod, buildMessage('without Redis'));
      await ben.receives(({ resource, id, version }) => resource === 'message' && id === group._id && version === seq);
    } finally {
      await pod.close();
    }
  });
});
