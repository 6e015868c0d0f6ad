import { z } from 'zod';
import { composedText, id, maxChars } from '../../fields.ts';
import { hasVisibleText, normalizeText, visible } from '../../text/normalize.ts';

/** Error for a reply to a reply. */
export const NOT_A_ROOT = 'A reply cannot have replies of its own';

/** Error for a message with neither text nor files. */
export const EMPTY_MESSAGE = 'Message cannot be empty';

const text = composedText(z.string(EMPTY_MESSAGE), 10_000, 'Message must be at most 10000 characters');

// Characters that cannot be stored are replaced, so that no message is lost because of an invisible one.
export const content = text
  .min(1, { error: EMPTY_MESSAGE, abort: true })
  .regex(visible, EMPTY_MESSAGE)
  .overwrite(normalizeText);

/** Text that accompanies files; blank text counts as none. */
export const contentWithFiles = text.transform((input) => (hasVisibleText(input) ? normalizeText(input) : ''));

export const clientMessageId = z
  .uuid()
  .optional()
  .describe('Created by the client; the same one again repeats the first response');

export const threadFields = {
  thread: id.optional().describe('The message to reply to, in the same conversation, which is not a reply itself'),
  alsoInConversation: z.boolean().default(false).describe('Show the reply in the conversation, too'),
};

/** Accepted and ignored: user messages are stored as `text`. */
export const messageType = z.string().check(maxChars(20)).default('text');
