import type { conversationType } from '@atrium/proto-events/http/chat/conversations';
import type { z } from 'zod';
import { fileForm } from '../../../workspace/builders.ts';
import { send, waitForConversation } from '../../../workspace/workspace.ts';
import { callAs } from './actors.ts';
import { type CreatedResource, idOf, recordItem, type VisibilityFixture } from './fixture-resources.ts';
import { getMark, type KindName } from './kinds.ts';

export async function makeConversations(fixture: VisibilityFixture): Promise<void> {
  const { manager, member, former, deactivated, guest, partner } = fixture.actors;
  const group = {
    type: 'group',
    title: getMark('conversation group', 'a'),
    description: getMark('conversation group', 'a'),
    participants: [member.id, former.id, deactivated.id],
  };
  const created = await callAs(manager, ['POST', '/chat/conversations', group]);
  recordItem(fixture, 'conversation group', created._id, 'conversations');
  const mark = getMark('public channel', 'a');
  const open = { type: 'group', title: mark, purpose: mark, visibility: 'public', participants: [member.id] };
  recordItem(
    fixture,
    'public channel',
    (await callAs(manager, ['POST', '/chat/conversations', open]))._id,
    'conversations',
  );
  const direct = { type: 'direct', participants: [partner.id] };
  recordItem(
    fixture,
    'conversation direct',
    (await callAs(member, ['POST', '/chat/conversations', direct]))._id,
    'conversations',
  );
  const ofProject = await waitForConversation(manager, `${getMark('project', 'a')} name`);
  recordItem(fixture, 'conversation project', ofProject, 'conversations');
  const title = { title: getMark('conversation project', 'a') };
  await callAs(manager, ['PATCH', `/chat/conversations/${ofProject}`, title]);
  await callAs(manager, ['POST', `/chat/conversations/${ofProject}/participants`, { userId: guest.id }], 200);
  await makeDepartmentConversation(fixture);
  for (const type of ['direct', 'group', 'project'] as const) await postMessages(fixture, type, 'a');
  fixture.deletedFileMessageId = await sendFile(
    fixture,
    'deleted attachment',
    'group',
    getMark('deleted attachment', 'a'),
  );
  await sendMessage(fixture, 'deleted message', 'group', getMark('deleted message', 'a'));
}

/** The department has members only later. */
async function makeDepartmentConversation(fixture: VisibilityFixture): Promise<void> {
  const kind = 'conversation of a department';
  const memberGroups = [{ type: 'department', _id: idOf(fixture, 'department') }];
  const mark = getMark(kind, 'a');
  const body = { type: 'group', title: mark, description: mark, purpose: mark, memberGroups };
  const { _id } = await callAs(fixture.actors.manager, ['POST', '/chat/conversations', body]);
  recordItem(fixture, kind, _id, 'conversations');
}

type MessageWithFile = CreatedResource & { attachments: CreatedResource[] };

/** Sends a file without text as `member`, and returns the message id. */
async function sendFile(
  fixture: VisibilityFixture,
  kind: KindName,
  type: ConversationType,
  mark: string,
): Promise<string> {
  const body = fileForm(`${mark}.txt`, { conversation: idOf(fixture, `conversation ${type}`) });
  const init = { method: 'POST', headers: { authorization: `Bearer ${fixture.actors.member.token}` }, body };
  const { status, body: sent } = await send<MessageWithFile>(`${fixture.url}/api/chat/messages`, init);
  if (status !== 201) throw new Error(`Creating ${kind} failed with status ${status}: ${JSON.stringify(sent)}`);
  recordItem(fixture, kind, sent.attachments[0]?._id ?? '', 'attachments');
  return sent._id;
}

type ConversationType = z.output<typeof conversationType>;

async function sendMessage(
  fixture: VisibilityFixture,
  kind: KindName,
  type: ConversationType,
  content: string,
): Promise<string> {
  const conversation = idOf(fixture, `conversation ${type}`);
  const { _id } = await callAs(fixture.actors.member, ['POST', '/chat/messages', { conversation, content }]);
  return recordItem(fixture, kind, _id, 'messages', conversation);
}

/** Sends a file and a message as `member`, and edits the message. */
export async function postMessages(fixture: VisibilityFixture, type: ConversationType, when: 'a' | 'b'): Promise<void> {
  await sendFile(fixture, `attachment ${type}`, type, getMark(`attachment ${type}`, when));
  const mark = getMark(`message ${type}`, when);
  const id = await sendMessage(fixture, `message ${type}`, type, mark);
  const { member } = fixture.actors;
  await callAs(member, ['PATCH', `/chat/messages/${id}`, { content: `${mark} edited` }]);
  for (const path of ['reactions/%F0%9F%91%8D', 'pin', 'saved'])
    await callAs(member, ['PUT', `/chat/messages/${id}/${path}`], 200);
  await sendReply(fixture, type, { root: id, content: getMark(`reply ${type}`, when) });
}

async function sendReply(
  fixture: VisibilityFixture,
  type: ConversationType,
  { root, content }: { root: string; content: string },
): Promise<void> {
  const conversation = idOf(fixture, `conversation ${type}`);
  const body = { conversation, thread: root, content };
  const { _id } = await callAs(fixture.actors.member, ['POST', '/chat/messages', body]);
  fixture.resources.push({ kind: `reply ${type}`, id: _id, idSet: 'messages', parentId: conversation, rootId: root });
}
