import { z } from 'zod';
import { id } from '../../fields.ts';
import { userSummary } from '../../people.ts';
import { MAX_REACTING_USERS, parseCustomEmoji, parseEmoji } from '../../text/emoji.ts';

/** Maximum number of different emoji on a message. */
export const MAX_REACTIONS = 50;

export const reaction = z.object({
  emoji: z.string().describe('An emoji of Unicode, or `:name:` of a custom one, which may be deleted'),
  count: z.int().min(1),
  mine: z.boolean().optional().describe('Whether the caller is one of them; absent in broadcasts'),
  users: z.array(userSummary).max(MAX_REACTING_USERS).describe('Those who reacted first'),
});
export type Reaction = z.infer<typeof reaction>;

export const reactions = z.array(reaction).max(MAX_REACTIONS).describe('In the order of their first users');

/** The longest emoji, a flag of a subdivision or a family with skin tones, has fewer. */
const MAX_EMOJI_LENGTH = 50;

const emoji = z
  .string()
  .max(MAX_EMOJI_LENGTH)
  .transform((text, context) => {
    const parsed = parseCustomEmoji(text) === undefined ? parseEmoji(text) : text;
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: 'Unknown emoji' });
    return z.NEVER;
  });

export const reactionParams = z.object({ id, emoji });
