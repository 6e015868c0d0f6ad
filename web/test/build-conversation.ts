import type { Conversation } from '@atrium/proto-events/http/chat/conversations';

/** Builds an empty group conversation. */
export function buildConversation(overrides: Partial<Conversation> = {}): Conversation {
  const time = '2026-11-20T09:00:00.000Z';
  return {
    _id: 'c'.repeat(24),
    type: 'group',
    title: 'design-review',
    description: '',
    visibility: 'private',
    purpose: '',
    posting: 'everyone',
    mentionEveryone: 'everyone',
    addPeople: 'managers',
    memberGroups: [],
    archived: false,
    project: null,
    createdBy: null,
    participants: [],
    participantCount: overrides.participants?.length ?? 0,
    lastMessage: null,
    lastSeq: 0,
    revision: 0,
    lastReadSeq: 0,
    unreadCount: 0,
    readRevision: 0,
    preferences: { notify: 'all', starred: false, hidden: false, section: null },
    createdAt: time,
    updatedAt: time,
    version: 1,
    abilities: {
      leave: false,
      rename: false,
      post: true,
      archive: false,
      mentionEveryone: true,
      addPeople: false,
      manageParticipants: false,
      manageGroups: false,
      requireGroups: false,
      delete: false,
      deleteMessages: false,
    },
    ...overrides,
  };
}
