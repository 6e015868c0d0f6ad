import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, storableText, storedText } from '../../fields.ts';
import { composeText } from '../../text/normalize.ts';
import { countChars } from '../../text-length.ts';

/** How long notes may be made, in characters. What several wrote at once may have made them longer, and they stay so until they are shortened. */
const MAX_NOTES_LENGTH = 2000;
const TOO_LONG = `Notes must be at most ${MAX_NOTES_LENGTH} characters`;
/** Beyond it what several wrote is not merged. */
export const MAX_MERGED_LENGTH = 20_000;

export const notesText = storedText(MAX_NOTES_LENGTH, { tooLong: TOO_LONG });

/** How long what is made of `base` may be. */
export const maxNotesLength = (base: string) => Math.max(MAX_NOTES_LENGTH, countChars(base));

const typedText = storableText(MAX_MERGED_LENGTH, { tooLong: TOO_LONG });

/** What one person made of the notes: `text`, out of `base`, as they had them before. What others wrote meanwhile stays beside it. */
export const notesInput = z
  .object({ text: typedText, base: typedText })
  // Before either is normalized: what is refused costs nothing.
  .refine(({ text, base }) => countChars(text) <= maxNotesLength(base), {
    error: TOO_LONG,
    path: ['text'],
    abort: true,
  })
  .transform(({ text, base }) => ({ text: composeText(text), base: composeText(base) }));

/** A paragraph that two people changed: each as they left it, one after the other in the notes. */
export const paragraphConflict = z.object({ theirs: z.string(), yours: z.string() });

export const writeNotes = endpoint({
  method: 'PUT',
  path: '/meetings/:id/notes',
  summary:
    'Write notes together with others (administrators and project managers who see the meeting): paragraphs are merged, and of one that two people changed both are kept',
  access: 'user',
  idempotent: true,
  params: idParams,
  body: notesInput,
  maxBodyBytes: 196_608,
  response: z.object({
    meeting: id,
    notes: z.string().describe('As they are now: what was given, and what others wrote'),
    both: z.array(paragraphConflict).describe('Paragraphs of which both are kept'),
    version: z.int(),
  }),
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});
