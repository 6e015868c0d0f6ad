import { readStorageHistory } from '@atrium/object-store/objects/storage-history';
import * as changes from '@atrium/proto-events/http/changes';
import * as attachments from '@atrium/proto-events/http/chat/attachments';
import * as channels from '@atrium/proto-events/http/chat/channels';
import * as conversations from '@atrium/proto-events/http/chat/conversations';
import * as drafts from '@atrium/proto-events/http/chat/drafts';
import * as emoji from '@atrium/proto-events/http/chat/emoji';
import * as forwarding from '@atrium/proto-events/http/chat/forwarding';
import * as messages from '@atrium/proto-events/http/chat/messages';
import * as pins from '@atrium/proto-events/http/chat/pins';
import * as polls from '@atrium/proto-events/http/chat/polls';
import * as scheduled from '@atrium/proto-events/http/chat/scheduled';
import * as search from '@atrium/proto-events/http/chat/search';
import * as sending from '@atrium/proto-events/http/chat/sending';
import * as threads from '@atrium/proto-events/http/chat/threads';
import * as unread from '@atrium/proto-events/http/chat/unread';
import { closeSignal } from '@atrium/service-kit/http/close-signal';
import { handle, respondExisting } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import {
  getAttachment,
  getAttachmentLimits,
  getAttachmentPreview,
  listAttachments,
} from './attachments/read-attachments.ts';
import { saveAttachment } from './attachments/save-attachment.ts';
import { archiveConversation, changePreferences, joinChannel, listChannels } from './conversations/channels.ts';
import { createConversation } from './conversations/create-conversation.ts';
import { listMentionGroups } from './conversations/list-mention-groups.ts';
import { listParticipants } from './conversations/list-participants.ts';
import {
  addParticipant,
  deleteConversation,
  leaveConversation,
  removeParticipant,
  renameConversation,
} from './conversations/manage-conversation.ts';
import { markMessageRead, markRead, markUnread } from './conversations/mark-read.ts';
import { addMemberGroup, changeMemberGroup, removeMemberGroup } from './conversations/member-groups.ts';
import { getUnread, getUnreadCount, listConversations, readAsParticipant } from './conversations/read-conversations.ts';
import type { Deps } from './deps.ts';
import { createEmoji } from './emoji/create-emoji.ts';
import { deleteEmoji, getEmoji, listEmoji } from './emoji/custom-emoji.ts';
import { listDrafts, saveDraft } from './later/drafts.ts';
import { removeReminder, setReminder } from './later/reminders.ts';
import { listSaved, save } from './later/saved.ts';
import { changeScheduled, deleteScheduled, listScheduled, scheduleMessage } from './later/scheduled.ts';
import { sendScheduledNow } from './later/send-scheduled.ts';
import type { ChangeFeed } from './live-updates/change-feed.ts';
import { deleteMessage, editMessage } from './messages/change-message.ts';
import { forwardMessage } from './messages/forward.ts';
import { getMessage } from './messages/get-message.ts';
import { listLinks } from './messages/list-links.ts';
import { listMessages } from './messages/list-messages.ts';
import { listPins, pin } from './messages/pins.ts';
import { closePoll, createPoll, vote } from './messages/polls.ts';
import { react } from './messages/react.ts';
import { sendFiles } from './messages/send-files.ts';
import { sendMessage } from './messages/send-message.ts';
import { changeFollowing, listReplies, listThreads, markThreadRead, markThreadUnread } from './messages/threads.ts';
import { searchMessages } from './search/search-messages.ts';

export const chatRoutes = (deps: Deps) => [
  ...conversationRoutes(deps),
  ...messageRoutes(deps),
  ...savedRoutes(deps),
  ...threadRoutes(deps),
  ...channelRoutes(deps),
  ...pollRoutes(deps),
  ...emojiRoutes(deps),
  ...attachmentRoutes(deps),
  ...draftRoutes(deps),
  ...scheduledRoutes(deps),
];

const conversationRoutes = (deps: Deps) => [
  handle(conversations.listConversations, ({ query }, caller) => listConversations(deps, caller, query)),
  handle(conversations.createConversation, async ({ body }, caller, exchange) => {
    const key = idempotencyKey(exchange.req);
    const { conversation, alreadyExists } = await createConversation(deps, caller, { body, key });
    if (alreadyExists) respondExisting(exchange);
    return conversation;
  }),
  handle(conversations.getConversation, ({ params }, caller) => readAsParticipant(deps, caller, params.id)),
  handle(conversations.renameConversation, ({ params, body }, caller) =>
    renameConversation(deps, caller, { ...params, ...body }),
  ),
  handle(conversations.deleteConversation, ({ params }, caller) => deleteConversation(deps, caller, params.id)),
  handle(conversations.addParticipant, ({ params, body }, caller) =>
    addParticipant(deps, caller, { ...params, ...body }),
  ),
  handle(conversations.removeParticipant, ({ params, body }, caller) =>
    removeParticipant(deps, caller, { ...params, ...body }),
  ),
  handle(conversations.removeParticipantByPath, ({ params }, caller) => removeParticipant(deps, caller, params)),
  handle(conversations.leaveConversation, ({ params }, caller) => leaveConversation(deps, caller, params.id)),
  handle(conversations.getUnreadCount, ({ params }, caller) => getUnreadCount(deps, caller, params.id)),
  handle(conversations.getUnread, (_request, caller) => getUnread(deps, caller)),
  handle(conversations.markConversationRead, ({ params, body }, caller) =>
    markRead(deps, caller, { conversation: params.id, ...body }),
  ),
  handle(unread.markConversationUnread, ({ params, body }, caller) => markUnread(deps, caller, { ...params, ...body })),
];

const messageRoutes = (deps: Deps) => [
  handle(messages.listMessages, ({ query }, caller) => listMessages(deps, caller, query)),
  // A form has no parsed body.
  handle(sending.sendMessage, async ({ body }, caller, exchange) => {
    if (!body) return sendFiles(deps, caller, exchange);
    const { sendAt, ...fields } = body;
    if (sendAt === undefined) return sendMessage(deps, caller, fields);
    return scheduleMessage(deps, caller, { ...fields, sendAt });
  }),
  handle(messages.listLinks, ({ params, query }, caller) => listLinks(deps, caller, { ...params, ...query })),
  handle(messages.getMessage, ({ params }, caller) => getMessage(deps, caller, params.id)),
  handle(sending.editMessage, ({ params, body }, caller) => editMessage(deps, caller, { ...params, ...body })),
  handle(messages.deleteMessage, ({ params }, caller) => deleteMessage(deps, caller, params.id)),
  handle(messages.addReaction, ({ params }, caller) => react(deps, caller, { ...params, isAdded: true })),
  handle(messages.removeReaction, ({ params }, caller) => react(deps, caller, { ...params, isAdded: false })),
  handle(pins.pinMessage, ({ params }, caller) => pin(deps, caller, { ...params, isPinned: true })),
  handle(pins.unpinMessage, ({ params }, caller) => pin(deps, caller, { ...params, isPinned: false })),
  handle(pins.listPins, ({ params }, caller) => listPins(deps, caller, params.id)),
  handle(messages.markMessageRead, ({ params }, caller) => markMessageRead(deps, caller, params.id)),
  handle(forwarding.forwardMessage, ({ params, body }, caller) => forwardMessage(deps, caller, { ...params, ...body })),
  handle(search.searchMessages, ({ query }, caller, { res }) =>
    searchMessages(deps, caller, { ...query, signal: closeSignal(res) }),
  ),
];

/** Of saved messages and their reminders. */
const savedRoutes = (deps: Deps) => [
  handle(pins.saveMessage, ({ params }, caller) => save(deps, caller, { ...params, isSaved: true })),
  handle(pins.unsaveMessage, ({ params }, caller) => save(deps, caller, { ...params, isSaved: false })),
  handle(pins.listSaved, ({ query }, caller) => listSaved(deps, caller, query)),
  handle(scheduled.setReminder, ({ params, body }, caller) => setReminder(deps, caller, { ...params, ...body })),
  handle(scheduled.removeReminder, ({ params }, caller) => removeReminder(deps, caller, params.id)),
];

const threadRoutes = (deps: Deps) => [
  handle(threads.listReplies, ({ params, query }, caller) => listReplies(deps, caller, { ...params, ...query })),
  handle(threads.markThreadRead, ({ params, body }, caller) => markThreadRead(deps, caller, { ...params, ...body })),
  handle(unread.markThreadUnread, ({ params, body }, caller) => markThreadUnread(deps, caller, { ...params, ...body })),
  handle(threads.followThread, ({ params }, caller) => changeFollowing(deps, caller, { ...params, isFollowed: true })),
  handle(threads.unfollowThread, ({ params }, caller) =>
    changeFollowing(deps, caller, { ...params, isFollowed: false }),
  ),
  handle(threads.listThreads, ({ query }, caller) => listThreads(deps, caller, query)),
];

/** Of channels, and of what a user sets in any conversation. */
const channelRoutes = (deps: Deps) => [
  handle(channels.listChannels, ({ query }, caller) => listChannels(deps, caller, query)),
  handle(channels.joinChannel, ({ params }, caller) => joinChannel(deps, caller, params.id)),
  handle(channels.archiveConversation, ({ params }, caller) =>
    archiveConversation(deps, caller, { ...params, archived: true }),
  ),
  handle(channels.restoreConversation, ({ params }, caller) =>
    archiveConversation(deps, caller, { ...params, archived: false }),
  ),
  handle(channels.addMemberGroup, ({ params, body: { id: _id, type, required } }, caller) =>
    addMemberGroup(deps, caller, { id: params.id, group: { type, _id, required } }),
  ),
  handle(channels.changeMemberGroup, ({ params: { id, type, groupId: _id }, body }, caller) =>
    changeMemberGroup(deps, caller, { id, group: { type, _id, ...body } }),
  ),
  handle(channels.removeMemberGroup, ({ params: { id, type, groupId: _id } }, caller) =>
    removeMemberGroup(deps, caller, { id, group: { type, _id } }),
  ),
  handle(channels.listParticipants, ({ params, query }, caller) =>
    listParticipants(deps, caller, { ...params, ...query }),
  ),
  handle(channels.listMentionGroups, ({ params, query }, caller) =>
    listMentionGroups(deps, caller, { ...params, ...query }),
  ),
  handle(channels.changePreferences, ({ params, body }, caller) =>
    changePreferences(deps, caller, { ...params, preferences: body }),
  ),
];

const pollRoutes = (deps: Deps) => [
  handle(polls.createPoll, ({ body }, caller) => createPoll(deps, caller, body)),
  handle(polls.votePoll, ({ params, body }, caller) => vote(deps, caller, { ...params, ...body })),
  handle(polls.closePoll, ({ params }, caller) => closePoll(deps, caller, params.id)),
];

const emojiRoutes = (deps: Deps) => [
  handle(emoji.listEmoji, () => listEmoji(deps)),
  handle(emoji.getEmoji, ({ params }) => getEmoji(deps, params.id)),
  handle(emoji.createEmoji, (_request, caller, exchange) => createEmoji(deps, caller, exchange)),
  handle(emoji.deleteEmoji, ({ params }, caller) => deleteEmoji(deps, caller, params.id)),
];

const attachmentRoutes = (deps: Deps) => [
  handle(attachments.getAttachmentLimits, (_request, caller) => getAttachmentLimits(deps, caller)),
  handle(attachments.getAttachmentHistory, ({ query }) => readStorageHistory(deps, query)),
  handle(attachments.getAttachment, ({ params }, caller) => getAttachment(deps, caller, params.id)),
  handle(attachments.getAttachmentPreview, ({ params }, caller) => getAttachmentPreview(deps, caller, params.id)),
  handle(attachments.listAttachments, ({ params, query }, caller) =>
    listAttachments(deps, caller, { ...params, ...query }),
  ),
  handle(attachments.saveAttachment, ({ params }, caller, { req }) =>
    saveAttachment(deps, caller, { ...params, key: idempotencyKey(req) }),
  ),
];

const draftRoutes = (deps: Deps) => [
  handle(drafts.saveDraft, ({ body }, caller) => saveDraft(deps, caller, body)),
  handle(drafts.listDrafts, ({ query }, caller) => listDrafts(deps, caller, query)),
];

const scheduledRoutes = (deps: Deps) => [
  handle(scheduled.listScheduled, ({ query }, caller) => listScheduled(deps, caller, query)),
  handle(scheduled.changeScheduled, ({ params, body }, caller) =>
    changeScheduled(deps, caller, { ...params, ...body }),
  ),
  handle(scheduled.deleteScheduled, ({ params }, caller) => deleteScheduled(deps, caller, params.id)),
  handle(scheduled.sendScheduled, ({ params }, caller) => sendScheduledNow(deps, caller, params.id)),
];

export const changeRoutes = (changeFeed: ChangeFeed) => [
  handle(changes.listChanges, ({ query }, caller, { res }) => changeFeed.list(caller, query, closeSignal(res))),
];
