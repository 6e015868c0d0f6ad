import { z } from 'zod';
import { id } from '../../fields.ts';
import { visible } from '../../text/normalize.ts';

/** Who can do something in a channel: managers are its creator and administrators. */
export const channelRight = z.enum(['everyone', 'managers']);

export const memberGroupType = z.enum(['department', 'project']);

/** A department or project whose members are in a channel. */
export const memberGroup = z.object({
  type: memberGroupType,
  _id: id,
  name: z.string(),
  required: z.boolean().describe('Its members cannot leave the channel'),
});
export type MemberGroup = z.infer<typeof memberGroup>;

export const MAX_MEMBER_GROUPS = 50;

/** The settings of a channel that name who can do something. */
export const channelRights = z.object({
  posting: channelRight.describe('Who can write messages; everyone can reply in threads'),
  mentionEveryone: channelRight.describe('Who can mention everyone, those who are online, departments, and projects'),
  addPeople: channelRight.describe('Who can add people'),
});

const NAME_TOO_LONG = 'Channel name must be at most 80 characters';
const INVALID_NAME = 'Channel name can only contain lowercase letters, numbers, and hyphens';

/** A channel name: lowercased and trimmed, with hyphens for spaces. Only a-z, 0-9, and hyphens are valid. */
export const channelName = z
  .string({ error: 'Channel name is required' })
  .max(80, { error: NAME_TOO_LONG, abort: true })
  .regex(visible, { error: 'Channel name is required', abort: true })
  .regex(/^\s*[A-Za-z0-9-]+(?:\s+[A-Za-z0-9-]+)*\s*$/, INVALID_NAME)
  .transform((name) => name.toLowerCase().trim().replace(/\s+/g, '-'));
