import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { boundedArray, id, idParams, optionalName, pageQuery, requiredName, time, usersPerItem } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { userSummary } from '../../people.ts';
import { channelName, channelRight, channelRights, MAX_MEMBER_GROUPS, memberGroup } from './channel-settings.ts';
import { message } from './messages.ts';
import { readBody } from './unread.ts';

export const conversationType = z.enum(['direct', 'group', 'project']);

export const channelVisibility = z.enum(['private', 'public']);
/** Maximum number of participants in a conversation; `listParticipants` lists all of them. */
export const MAX_SHOWN_PARTICIPANTS = 500;

/** How one user sees a conversation. */
export const preferences = z.object({
  notify: z.enum(['all', 'mentions', 'none']),
  starred: z.boolean(),
  hidden: z.boolean().describe('Not listed until there are new messages'),
  section: optionalName(80).nullable().describe('The caller’s own heading in the list'),
});
export type Preferences = z.infer<typeof preferences>;

export const conversation = z.object({
  _id: id,
  type: conversationType,
  title: z.string().nullable().describe('Null for a direct conversation: show the other participant'),
  description: z.string(),
  visibility: channelVisibility.describe('Everyone can find and join a public channel'),
  purpose: z.string(),
  ...channelRights.shape,
  archived: z.boolean(),
  memberGroups: z.array(memberGroup).max(MAX_MEMBER_GROUPS),
  project: z
    .object({
      _id: id,
      projectManager: id,
      guests: z
        .array(id)
        .optional()
        .describe('Participants of a project conversation who are not project members. Only they can be removed'),
    })
    .nullable(),
  createdBy: userSummary.nullable(),
  participants: z
    .array(userSummary)
    .max(MAX_SHOWN_PARTICIPANTS)
    .describe('Those who joined first; in a list, as many as the query requests'),
  participantCount: z.int(),
  lastMessage: message.nullable().describe('Attachments without links, and no reactions'),
  lastSeq: z.int(),
  revision: z.int().describe('Increases by one with each edit or deletion of a message'),
  lastReadSeq: z.int(),
  unreadCount: z.int(),
  readRevision: z.int().describe('Increases when the caller marks messages as unread'),
  preferences,
  createdAt: time,
  updatedAt: time.describe('Of the latest activity; lists are sorted by it, newest first'),
  version: z.int(),
  abilities: z.object({
    leave: z
      .boolean()
      .describe(
        'Not for direct conversations, conversations of the caller’s own projects, or what their groups require',
      ),
    rename: z.boolean(),
    post: z.boolean(),
    archive: z.boolean().describe('And restore'),
    mentionEveryone: z.boolean().describe('Also departments and projects'),
    addPeople: z.boolean(),
    manageParticipants: z.boolean().describe('Add and remove people'),
    manageGroups: z.boolean().describe('Add and remove departments and projects'),
    requireGroups: z.boolean().describe('Make the channel required for them'),
    delete: z.boolean(),
    deleteMessages: z.boolean().describe('Messages of others; the caller’s own can always be deleted'),
  }),
});
export type Conversation = z.infer<typeof conversation>;

export type PersonalConversation = Pick<
  Conversation,
  'abilities' | 'lastReadSeq' | 'unreadCount' | 'readRevision' | 'preferences'
>;
export type SharedConversation = Omit<Conversation, keyof PersonalConversation>;

const purpose = optionalName(250);

const relatedProject = id.optional().describe('The related project; must exist');

export const createConversationBody = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('group'),
    project: relatedProject,
    title: channelName,
    description: optionalName(500).default(''),
    purpose: purpose.default(''),
    visibility: channelVisibility.default('private'),
    posting: channelRight.default('everyone'),
    mentionEveryone: channelRight.default('everyone'),
    addPeople: channelRight.default('managers'),
    memberGroups: boundedArray(
      MAX_MEMBER_GROUPS,
      z.array(memberGroup.pick({ type: true, _id: true }).extend({ required: z.boolean().default(false) })),
    ).default([]),
    participants: boundedArray(1000, z.array(z.union([id, z.literal('')]))).default([]),
  }),
  z.object({
    type: z.literal('direct'),
    project: relatedProject,
    participants: boundedArray(10, z.array(z.union([id, z.literal('')]))),
  }),
]);

export const listConversations = endpoint({
  method: 'GET',
  path: '/chat/conversations',
  summary: 'List the caller’s conversations, latest activity first',
  access: 'user',
  query: pageQuery.extend({
    project: id.optional().describe('Only the conversation of this project'),
    people: usersPerItem(
      'How many participants of each conversation, earliest first; the other person of a direct conversation is always included',
    ),
  }),
  response: pageOf(conversation),
  status: 200,
});

export const createConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations',
  summary: 'Create a channel, or find or create the direct conversation with a person (200 if it existed)',
  access: 'user',
  idempotent: true,
  body: createConversationBody,
  response: conversation,
  status: 201,
  alternateStatus: 200,
  errors: ['rate_limited', 'forbidden'],
  rules: [
    'Participants must be active users',
    'A direct conversation needs exactly one other person',
    'Project not found',
    'Department not found',
  ],
});

export const getConversation = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id',
  summary: 'Get a conversation',
  access: 'user',
  params: idParams,
  response: conversation,
  status: 200,
  errors: ['not_found'],
});

const NAME_MISSING = 'Conversation name cannot be empty';

export const renameConversation = endpoint({
  method: 'PATCH',
  path: '/chat/conversations/:id',
  summary: 'Rename a group or project conversation, or change the settings of a group',
  access: 'user',
  params: idParams,
  body: z
    .object({
      title: requiredName(NAME_MISSING, 200).optional(),
      purpose: purpose.optional(),
      visibility: channelVisibility.optional(),
      posting: channelRight.optional(),
      mentionEveryone: channelRight.optional(),
      addPeople: channelRight.optional(),
    })
    .refine((changes) => Object.keys(changes).length > 0, NAME_MISSING),
  response: conversation,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/chat/conversations/:id',
  summary: 'Delete a group or project conversation and all messages (administrators)',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
});

const participantBody = z.object({ userId: id });

export const addParticipant = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/participants',
  summary: 'Add a person to a group or project conversation',
  access: 'user',
  params: idParams,
  body: participantBody,
  response: conversation,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
  rules: ['Participants must be active users'],
});

export const removeParticipant = endpoint({
  method: 'DELETE',
  path: '/chat/conversations/:id/participants',
  summary: 'Remove a person, other than the creator or yourself',
  access: 'user',
  params: idParams,
  body: participantBody,
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const removeParticipantByPath = endpoint({
  method: 'DELETE',
  path: '/chat/conversations/:id/participants/:userId',
  summary: 'Remove a person; the person is in the path',
  access: 'user',
  params: z.object({ id, userId: id }),
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const leaveConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/leave',
  summary: 'Leave a group, or a project conversation as a guest; the earliest member succeeds a creator who leaves',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['not_found', 'conflict'],
});

export const getUnreadCount = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/unread-count',
  summary: 'Count unread messages',
  access: 'user',
  params: idParams,
  response: z.object({ count: z.int(), unreadCount: z.int() }),
  status: 200,
  errors: ['not_found'],
});

export const MAX_UNREAD = 500;
export const MAX_MUTED = 1_000;
export const MAX_UNREAD_MENTIONS = 50;

export const getUnread = endpoint({
  method: 'GET',
  path: '/chat/unread',
  summary: 'Count unread messages, in total and per conversation',
  access: 'user',
  response: z.object({
    total: z.int().describe('Without muted conversations, and without threads'),
    threads: z.int().describe('Unread replies in the threads that the caller follows'),
    muted: z
      .array(id)
      .max(MAX_MUTED)
      .optional()
      .describe('The muted conversations of the caller (`notify: none`), which do not count in the total'),
    groups: z.array(id).optional().describe('The departments and projects whose mentions concern the caller'),
    unread: z
      .array(
        z.object({
          conversation: id,
          count: z.int().min(1),
          lastSeq: z.int(),
          readRevision: z.int(),
          mentions: z
            .array(z.int())
            .max(MAX_UNREAD_MENTIONS)
            .describe('The seqs of the last unread messages that mention the caller or everyone'),
        }),
      )
      .max(MAX_UNREAD)
      .describe('Conversations with unread messages, latest activity first'),
  }),
  status: 200,
});

export const markConversationRead = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/read',
  summary: 'Mark everything, or everything up to a seq, as read; never moves backward',
  access: 'user',
  params: idParams,
  body: readBody.default({}),
  response: z.object({ updatedCount: z.int(), seq: z.int() }),
  status: 200,
  errors: ['not_found'],
});
