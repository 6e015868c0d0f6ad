import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, pageQuery, storableText } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { userSummary } from '../../people.ts';
import { memberGroup, memberGroupType } from './channel-settings.ts';
import { conversation, preferences } from './conversations.ts';

export const channel = z.object({
  _id: id,
  title: z.string(),
  purpose: z.string(),
  participantCount: z.int(),
  joined: z.boolean().describe('Whether the caller is in the channel'),
  archived: z.boolean(),
});
export type Channel = z.infer<typeof channel>;

export const listChannels = endpoint({
  method: 'GET',
  path: '/chat/channels',
  summary: 'List public channels by name; `search` matches names and purposes',
  access: 'user',
  query: pageQuery.extend({
    search: storableText(200).optional(),
    archived: z.stringbool().default(false).describe('Archived channels instead of active ones'),
  }),
  response: pageOf(channel),
  status: 200,
});

export const joinChannel = endpoint({
  method: 'POST',
  path: '/chat/channels/:id/join',
  summary: 'Join a public channel',
  access: 'user',
  params: idParams,
  response: conversation,
  status: 200,
  errors: ['not_found', 'conflict'],
});

export const archiveConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/archive',
  summary: 'Archive a channel (creator or administrators): its messages stay readable, and nobody can add any',
  access: 'user',
  params: idParams,
  response: conversation,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const restoreConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/restore',
  summary: 'Restore an archived channel',
  access: 'user',
  params: idParams,
  response: conversation,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const changePreferences = endpoint({
  method: 'PATCH',
  path: '/chat/conversations/:id/preferences',
  summary: 'Change how the caller sees a conversation',
  access: 'user',
  params: idParams,
  body: preferences.partial(),
  response: preferences,
  status: 200,
  errors: ['not_found'],
});

const groupParams = z.object({ id, type: memberGroupType, groupId: id });

export const addMemberGroup = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/groups',
  summary:
    'Make the members of a department or project participants of a channel (creator or administrators), now and in the future',
  access: 'user',
  params: idParams,
  body: z.object({
    type: memberGroupType,
    id,
    required: z.boolean().default(false).describe('Its members cannot leave (administrators)'),
  }),
  response: conversation,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
  rules: ['Department not found', 'Project not found'],
});

export const changeMemberGroup = endpoint({
  method: 'PATCH',
  path: '/chat/conversations/:id/groups/:type/:groupId',
  summary: 'Change whether the members of a department or project can leave a channel (administrators)',
  access: 'user',
  params: groupParams,
  body: z.object({ required: z.boolean() }),
  response: conversation,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const removeMemberGroup = endpoint({
  method: 'DELETE',
  path: '/chat/conversations/:id/groups/:type/:groupId',
  summary: 'Remove a department or project from a channel, with the members who are in it for no other reason',
  access: 'user',
  params: groupParams,
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const participant = z.object({
  _id: id,
  user: userSummary,
  byGroup: z.boolean().describe('Whether they are in it only as a member of a department or project'),
  removable: z.boolean().describe('Whether the caller can remove them'),
});
export type Participant = z.infer<typeof participant>;

export const listParticipants = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/participants',
  summary: 'List the participants of a conversation, those who joined first at the top; `search` matches names',
  access: 'user',
  params: idParams,
  query: pageQuery.extend({ search: storableText(200).optional() }),
  response: pageOf(participant),
  status: 200,
  errors: ['not_found'],
});

export const MAX_MENTION_GROUPS = 10;

export const listMentionGroups = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/mention-groups',
  summary: 'List departments and projects that a message in a conversation can mention',
  access: 'user',
  params: idParams,
  query: z.object({ search: storableText(200).default('') }),
  response: z.object({
    data: z
      .array(
        memberGroup
          .omit({ required: true })
          .extend({ participantCount: z.int().min(1).describe('Members who are in the conversation') }),
      )
      .max(MAX_MENTION_GROUPS),
  }),
  status: 200,
  errors: ['not_found'],
});
export type MentionGroup = z.infer<typeof listMentionGroups.response>['data'][number];
