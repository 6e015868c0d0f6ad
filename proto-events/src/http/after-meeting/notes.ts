import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, storedText } from '../../fields.ts';

/** What one person made of the notes: `text`, out of `base`, as they had them before. What others wrote meanwhile stays beside it. */
export const notesGiven = z.object({
  text: storedText(2000, { tooLong: 'Notes must be at most 2000 characters' }),
  base: storedText(20_000, { tooLong: 'Notes must be at most 2000 characters' }),
});

/** A paragraph that two people changed: each as they left it, one after the other in the notes. */
export const bothParagraphs = z.object({ theirs: z.string(), yours: z.string() });

export const writeNotes = endpoint({
  method: 'PUT',
  path: '/meetings/:id/notes',
  summary:
    'Write notes together with others (administrators and project managers who see the meeting): paragraphs are merged, and of one that two people changed both are kept',
  access: 'user',
  repeatable: true,
  params: idParams,
  body: notesGiven,
  maxBodyBytes: 131_072,
  response: z.object({
    meeting: id,
    notes: z.string().describe('As they are now: what was given, and what others wrote'),
    both: z.array(bothParagraphs).describe('Paragraphs of which both are kept'),
    version: z.int(),
  }),
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});
