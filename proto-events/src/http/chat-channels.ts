import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, pageQuery, storableText } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { conversation, preferences } from './chat.ts';

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
