import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, time, uploadedFile } from '../../fields.ts';
import { userSummary } from '../../people.ts';
import { people, withRefs } from '../../people-once.ts';
import { CUSTOM_EMOJI_NAME } from '../../text/emoji.ts';

/** Maximum number of custom emoji of a workspace. */
export const MAX_CUSTOM_EMOJI = 500;
export const MAX_CUSTOM_EMOJI_BYTES = 256 * 1024;
/** Maximum width and height in pixels. */
export const MAX_CUSTOM_EMOJI_SIDE = 1_024;

/** An image that `:name:` stands for in text and as a reaction. */
export const customEmoji = z.object({
  _id: id,
  name: z.string(),
  url: z.string().optional().describe('A link to the image for at least three minutes; absent without an object store'),
  createdBy: userSummary,
  createdAt: time,
});
export type CustomEmoji = z.infer<typeof customEmoji>;

export const EMOJI_NAME_INVALID = 'A name has 2 to 32 lowercase letters, digits, hyphens, and underscores';
export const EMOJI_NAME_TAKEN = 'An emoji with this name already exists';
export const EMOJI_IMAGE_INVALID = 'An emoji must be a PNG, GIF, or WebP image';
export const EMOJI_IMAGE_TOO_WIDE = `An emoji can be at most ${MAX_CUSTOM_EMOJI_SIDE} pixels wide and high`;
export const TOO_MANY_EMOJI = `A workspace can have at most ${MAX_CUSTOM_EMOJI} emoji`;
export const ONE_IMAGE = 'Send one image in the field `image`';

const ADMINS_ONLY = 'Only administrators can change the emoji of the workspace';

/** The fields of the form with an emoji, without its image. */
export const createEmojiFields = z.object({
  name: z.string(EMOJI_NAME_INVALID).regex(CUSTOM_EMOJI_NAME, EMOJI_NAME_INVALID),
});

export const listEmoji = endpoint({
  method: 'GET',
  path: '/chat/emoji',
  summary: 'List the custom emoji of the workspace by name',
  access: 'user',
  response: z.object({ data: z.array(withRefs(customEmoji)).max(MAX_CUSTOM_EMOJI), people }),
  status: 200,
});

export const getEmoji = endpoint({
  method: 'GET',
  path: '/chat/emoji/:id',
  summary: 'Get a custom emoji with a fresh link',
  access: 'user',
  params: idParams,
  response: customEmoji,
  status: 200,
  errors: ['not_found'],
});

export const createEmoji = endpoint({
  method: 'POST',
  path: '/chat/emoji',
  summary: 'Add a custom emoji: an image of at most 256 KB',
  access: 'admin',
  forbiddenMessage: ADMINS_ONLY,
  multipart: createEmojiFields.extend({ image: uploadedFile }),
  response: customEmoji,
  status: 201,
  errors: ['conflict', 'too_large', 'unavailable'],
  rules: [
    EMOJI_IMAGE_INVALID,
    EMOJI_IMAGE_TOO_WIDE,
    ONE_IMAGE,
    TOO_MANY_EMOJI,
    'The file is empty',
    'A field of the form is too long',
    'The form has too many parts',
  ],
});

export const deleteEmoji = endpoint({
  method: 'DELETE',
  path: '/chat/emoji/:id',
  summary: 'Delete a custom emoji; where it was used, its name remains as text',
  access: 'admin',
  forbiddenMessage: ADMINS_ONLY,
  params: idParams,
  status: 204,
  errors: ['not_found'],
});
