import type { Client } from '../../workspace/workspace.ts';
import { addEmoji, type Conversation, NotApplicableError, type Workspace } from '../workspace-state.ts';
import { call, removeFrom, type Step, type Steps } from './step.ts';

const pickGroup = ({ conversations, pick }: Workspace): Conversation =>
  pick(conversations.filter(({ isGroup }) => isGroup));

function replace(conversations: Conversation[], previous: Conversation, participants: readonly Client[]): void {
  conversations.splice(conversations.indexOf(previous), 1, { ...previous, participants });
}

const sendMessage: Step = ({ conversations, pick, createName }) => {
  const { _id, owner, participants } = pick(conversations);
  return call(pick([owner, ...participants]), 'POST', '/chat/messages', { conversation: _id, content: createName() });
};

const nameEmoji = (createName: () => string) => `emoji-${createName().replace(/\D/g, '')}`;

export const CHAT_STEPS: Steps = {
  'create a channel': async ({ users: { manager, member, outsider, nora }, conversations, pick, createName }) => {
    const participants = [member, pick([outsider, nora])];
    const title = createName()
      .normalize('NFD')
      .replace(/[^A-Za-z0-9 ]/g, '');
    const body = { type: 'group', title, participants: participants.map(({ id }) => id) };
    const { _id } = await call(manager, 'POST', '/chat/conversations', body);
    conversations.push({ _id, isGroup: true, owner: manager, participants });
  },
  'start a direct conversation': async ({ users: { colleague, nora, manager }, conversations, pick }) => {
    const participant = pick([nora, manager]);
    const body = { type: 'direct', participants: [participant.id] };
    const { _id } = await call(colleague, 'POST', '/chat/conversations', body);
    if (conversations.some((conversation) => conversation._id === _id)) throw new NotApplicableError('It exists');
    conversations.push({ _id, isGroup: false, owner: colleague, participants: [participant] });
  },
  'rename a channel': (workspace) => {
    const { _id, owner } = pickGroup(workspace);
    return call(owner, 'PATCH', `/chat/conversations/${_id}`, { title: workspace.createName() });
  },
  'add a participant': async (workspace) => {
    const { users, conversations, pick } = workspace;
    const group = pickGroup(workspace);
    const candidates = [users.outsider, users.colleague, users.nora];
    const added = pick(candidates.filter((user) => user !== group.owner && !group.participants.includes(user)));
    await call(group.owner, 'POST', `/chat/conversations/${group._id}/participants`, { userId: added.id });
    replace(conversations, group, [...group.participants, added]);
  },
  'remove a participant': async (workspace) => {
    const { conversations, pick } = workspace;
    const group = pickGroup(workspace);
    const removed = pick(group.participants);
    await call(group.owner, 'DELETE', `/chat/conversations/${group._id}/participants/${removed.id}`);
    replace(
      conversations,
      group,
      group.participants.filter((user) => user !== removed),
    );
  },
  'leave a channel': async (workspace) => {
    const { conversations, pick } = workspace;
    const group = pickGroup(workspace);
    const leaving = pick(group.participants);
    await call(leaving, 'POST', `/chat/conversations/${group._id}/leave`);
    replace(
      conversations,
      group,
      group.participants.filter((user) => user !== leaving),
    );
  },
  'delete a channel': async ({ users: { admin, member }, conversations, createName }) => {
    const title = createName()
      .normalize('NFD')
      .replace(/[^A-Za-z0-9 ]/g, '');
    const group = conversations.find(({ owner }) => owner === admin);
    if (group) {
      await call(admin, 'DELETE', `/chat/conversations/${group._id}`);
      return removeFrom(conversations, group);
    }
    const body = { type: 'group', title, participants: [member.id] };
    const { _id } = await call(admin, 'POST', '/chat/conversations', body);
    conversations.push({ _id, isGroup: true, owner: admin, participants: [member] });
  },
  'send a message': sendMessage,
  'edit or delete a message': async ({ conversations, pick, createName }) => {
    const { _id: conversation, owner } = pick(conversations);
    const message = await call(owner, 'POST', '/chat/messages', { conversation, content: createName() });
    if (pick([true, false])) return call(owner, 'DELETE', `/chat/messages/${message._id}`);
    return call(owner, 'PATCH', `/chat/messages/${message._id}`, { content: createName() });
  },
  'pin a message, edit it, and unpin it': async ({ conversations, pick, createName }) => {
    const { _id: conversation, owner, participants } = pick(conversations);
    const message = await call(owner, 'POST', '/chat/messages', { conversation, content: createName() });
    const path = `/chat/messages/${message._id}`;
    await call(pick([owner, ...participants]), 'PUT', `${path}/pin`);
    await call(owner, 'PATCH', path, { content: createName() });
    if (pick([true, false])) await call(owner, 'DELETE', `${path}/pin`);
  },
  'save a message that is edited': async ({ conversations, pick, createName }) => {
    const { _id: conversation, owner, participants } = pick(conversations);
    const message = await call(owner, 'POST', '/chat/messages', { conversation, content: createName() });
    const path = `/chat/messages/${message._id}`;
    const user = pick([owner, ...participants]);
    await call(user, 'PUT', `${path}/saved`);
    await call(owner, 'PATCH', path, { content: createName() });
    if (pick([true, false])) await call(user, 'DELETE', `${path}/saved`);
  },
  'forward a message that is deleted': async ({ conversations, pick, createName }) => {
    const { _id: conversation, owner } = pick(conversations);
    const message = await call(owner, 'POST', '/chat/messages', { conversation, content: createName() });
    const body = { conversation, comment: createName() };
    await call(owner, 'POST', `/chat/messages/${message._id}/forward`, body);
    await call(owner, 'DELETE', `/chat/messages/${message._id}`);
  },
  'vote in a poll that is pinned, and close it': async ({ conversations, pick, createName }) => {
    const { _id: conversation, owner, participants } = pick(conversations);
    const body = { conversation, question: createName(), options: ['Yes', 'No'], anonymous: pick([true, false]) };
    const poll = await call(owner, 'POST', '/chat/polls', body);
    const path = `/chat/messages/${poll._id}`;
    await call(owner, 'PUT', `${path}/pin`);
    await call(pick([owner, ...participants]), 'PUT', `${path}/poll/votes`, { options: [pick(['1', '2'])] });
    if (pick([true, false])) await call(owner, 'POST', `${path}/poll/close`);
  },
  'mark messages as unread': async ({ conversations, pick, createName }) => {
    const { _id: conversation, owner, participants } = pick(conversations);
    const user = pick(participants);
    const { seq } = await call<{ seq: number }>(owner, 'POST', '/chat/messages', {
      conversation,
      content: createName(),
    });
    await call(user, 'POST', `/chat/conversations/${conversation}/read`, {});
    await call(user, 'POST', `/chat/conversations/${conversation}/unread`, { seq });
  },
  'edit the message that is watched': ({ message, users: { manager }, createName }) =>
    call(manager, 'PATCH', `/chat/messages/${message}`, { content: createName() }),
  'add an emoji': ({ url, users: { admin }, createName }) => addEmoji(url, admin, nameEmoji(createName)),
  'add and delete an emoji': async ({ url, users: { admin }, createName }) =>
    call(admin, 'DELETE', `/chat/emoji/${await addEmoji(url, admin, nameEmoji(createName))}`),
  'make a channel public or private': (workspace) => {
    const { _id, owner } = pickGroup(workspace);
    const visibility = workspace.pick(['public', 'private']);
    return call(owner, 'PATCH', `/chat/conversations/${_id}`, { visibility });
  },
  'read a conversation': ({ conversations, pick }) => {
    const { _id, owner, participants } = pick(conversations);
    return call(pick([owner, ...participants]), 'POST', `/chat/conversations/${_id}/read`, {});
  },
  'read notifications': ({ users: { manager, member }, pick }) =>
    call(pick([manager, member]), 'POST', '/notifications/read', { all: true }),
};
