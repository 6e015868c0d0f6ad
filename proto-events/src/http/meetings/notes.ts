import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, storableText, storedText } from '../../fields.ts';
import { composeText } from '../../text/normalize.ts';
import { countChars } from '../../text-length.ts';

const MAX_NOTES_LENGTH = 2000;
const TOO_LONG = `Notes must be at most ${MAX_NOTES_LENGTH} characters`;
/** Longer notes are not merged. */
export const MAX_MERGED_LENGTH = 20_000;

export const notesText = storedText(MAX_NOTES_LENGTH, { tooLong: TOO_LONG });

/** Maximum length of an edit based on `base`. */
export const maxNotesLength = (base: string) => Math.max(MAX_NOTES_LENGTH, countChars(base));

const typedText = storableText(MAX_MERGED_LENGTH, { tooLong: TOO_LONG });

/** An edit of the notes: `text`, based on `base`. Concurrent edits are merged. */
export const notesInput = z
  .object({ text: typedText, base: typedText })
  // Checked before normalization, so that rejected input costs nothing.
  .refine(({ text, base }) => countChars(text) <= maxNotesLength(base), {
    error: TOO_LONG,
    path: ['text'],
    abort: true,
  })
  .transform(({ text, base }) => ({ text: composeText(text), base: composeText(base) }));

export const paragraphConflict = z.object({ theirs: z.string(), yours: z.string() });

export const writeNotes = endpoint({
  method: 'PUT',
  path: '/meetings/:id/notes',
  summary:
    'Write notes collaboratively (administrators and project managers who see the meeting): paragraphs are merged; if two people changed the same one, both versions are kept',
  access: 'user',
  idempotent: true,
  params: idParams,
  body: notesInput,
  maxBodyBytes: 196_608,
  response: z.object({
    meeting: id,
    notes: z.string().describe('The merged notes'),
    both: z.array(paragraphConflict).describe('Conflicts: paragraphs that both users changed, kept in both versions'),
    version: z.int(),
  }),
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});
