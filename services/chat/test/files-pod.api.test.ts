import type { Conversation } from '@atrium/proto-events/http/chat';
import { freePort } from '@atrium/test-kit/free-port';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { aGroup, ask } from './factories.ts';
import { sendFiles } from './files.ts';
import { startSecondPod } from './pods.ts';
import { people, service } from './running-chat.ts';
import { aChatter, aSocket, aWatcher, refusal } from './sockets.ts';

let group: Conversation;
beforeEach(async () => {
  group = await aGroup(service, [people.member, people.ben]);
});

const sending = (content: string) => ({
  as: people.member,
  fields: { conversation: group._id, content },
  files: [['notes.txt', content]] as const,
});

describe('a pod for files alone', () => {
  it('tells the sockets of the others what came to it, and has none itself', async () => {
    const pod = await startSecondPod(service, people, { CHAT_ROLE: 'files' });
    try {
      const ben = await aChatter(service, people.ben);
      const message = await sendFiles(pod, sending('by another door'));
      const heard = await ben.hears('message:new', ({ message: { _id } }) => _id === message._id);
      expect(heard.message).toMatchObject({ content: 'by another door', attachments: [{ name: 'notes.txt' }] });
      expect(await refusal(await aSocket(pod, '/chat', people.ben))).not.toBe('connected');
      // Who leaves is waited for on every pod, and this one answers, too.
      const began = performance.now();
      await ask(service, people.member, ['DELETE', `/chat/conversations/${group._id}/participants/${people.ben._id}`]);
      expect(performance.now() - began).toBeLessThan(4_000);
      await sendFiles(pod, sending('not for Ben'));
      const mia = await aChatter(service, people.member);
      await sendFiles(pod, sending('for Mia'));
      await mia.hears('message:new', ({ message: { content } }) => content === 'for Mia');
      expect(ben.all('message:new').map(({ message: { content } }) => content)).toEqual(['by another door']);
    } finally {
      await pod.close();
    }
  });

  it('has browsers ask for it by its event where Redis is away', async () => {
    const nowhere = `redis://127.0.0.1:${await freePort()}`;
    const pod = await startSecondPod(service, people, { CHAT_ROLE: 'files', REDIS_URL: nowhere });
    try {
      const ben = await aWatcher(service, people.ben);
      const { seq } = await sendFiles(pod, sending('without Redis'));
      await ben.sees(({ resource, id, version }) => resource === 'message' && id === group._id && version === seq);
    } finally {
      await pod.close();
    }
  });
});
