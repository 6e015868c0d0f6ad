import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { newUuid } from '#lib/new-uuid.ts';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { chooseFiles, takeFiles } from '../files/attachment-drafts.ts';
import { withNewest } from '../log/message-log.ts';
import { changeLog } from '../log/message-store.ts';
import { getMessageDraft, saveMessageDraft } from './drafts.ts';
import { retractMessage } from './retract-message.ts';
import type { SentMessage } from './sent-messages.ts';

const me = buildUser('a');
const token = `<@${'b'.repeat(24)}>`;
let stop: () => Promise<void> = async () => undefined;
let requests: string[] = [];

beforeEach(async () => {
  localStorage.clear();
  requests = [];
  ({ stop } = await startApi(({ method, path }) => {
    requests.push(`${method} ${path}`);
    return { status: 200, body: {} };
  }));
  act(() => signInAs(buildUser('z')));
  act(() => signInAs(me));
});

afterEach(() => stop());

function sentWith(files: SentMessage['outgoing']['files']): SentMessage {
  const message = buildMessage(1);
  const content = `hi ${token}`;
  const destination = { conversation: message.conversation };
  const labels = { [token]: '@Bo' };
  const outgoing = { destination, content, labels, files, clientMessageId: newUuid(), createdAt: message.createdAt };
  return { message, outgoing };
}

it('deletes a sent message, and returns its text, mentions, and files to an empty composer', async () => {
  const sent = sentWith([{ id: newUuid(), file: new File(['a'], 'a.txt') }]);
  const { conversation } = sent.message;
  await retractMessage(sent);
  expect(requests).toEqual([`DELETE /api/chat/messages/${sent.message._id}`]);
  expect(getMessageDraft(me._id, conversation)).toMatchObject({
    text: 'hi @Bo',
    mentions: [{ at: 3, text: '@Bo', token }],
  });
  const { files, clientMessageId } = takeFiles(conversation, sent.outgoing.content);
  expect(files.map(({ file }) => file.name)).toEqual(['a.txt']);
  // With its id, the server would take the next message for the deleted one.
  expect(clientMessageId).not.toBe(sent.outgoing.clientMessageId);
});

it('returns the text of a message that was edited since it was sent', async () => {
  const sent = sentWith([]);
  const edited = { ...sent.message, content: 'hi all', editedAt: sent.message.createdAt };
  const { conversation } = sent.message;
  changeLog(conversation, (log) => withNewest(log, { data: [edited], hasMore: false, revision: 0 }));
  await retractMessage(sent);
  expect(getMessageDraft(me._id, conversation).text).toBe('hi all');
});

it('returns them before what is in the composer by then', async () => {
  const sent = sentWith([{ id: newUuid(), file: new File(['a'], 'a.txt') }]);
  const { conversation } = sent.message;
  saveMessageDraft(me._id, conversation, { text: 'next' });
  await retractMessage(sent);
  expect(getMessageDraft(me._id, conversation).text).toBe('hi @Bo\nnext');
  expect(takeFiles(conversation, '').files.map(({ file }) => file.name)).toEqual(['a.txt']);
  saveMessageDraft(me._id, conversation, { text: '' });
  chooseFiles(conversation, [new File(['b'], 'b.txt')]);
  await retractMessage(sent);
  expect(getMessageDraft(me._id, conversation).text).toBe('hi @Bo');
  expect(takeFiles(conversation, '').files.map(({ file }) => file.name)).toEqual(['a.txt', 'b.txt']);
});
