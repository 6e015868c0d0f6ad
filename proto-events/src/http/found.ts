import { z } from 'zod';
import { storableText, timezone, wholeNumber } from '../fields.ts';

/** Matches are counted up to this number. */
export const MAX_COUNTED_MATCHES = 1_000;

export const snippet = z
  .array(z.object({ text: z.string(), match: z.boolean().describe('Whether the query matches this part') }))
  .describe('A text or the part of it around the first match, as consecutive texts');
export type Snippet = z.infer<typeof snippet>;

const MAX_RESULTS = 50;

export const searchQuery = z.object({
  q: storableText(500).describe(
    'Words of names and texts, or parts of them, in any order; `"phrases"`; `-` excludes. `from:` (or `by:`), `in:`, `before:`, `after:`, and `on:` limit the results to those of a user, project, or day, with or without words; a type without such a value has no results',
  ),
  limit: wholeNumber({
    fallback: 5,
    max: MAX_RESULTS,
    description: `Maximum number of results; 5 by default, at most ${MAX_RESULTS}`,
  }),
  timezone: timezone.optional().describe('Of the dates in `q`; by default that of the caller'),
});

/** The fields of every result: what to show of it. */
export const foundTexts = {
  title: snippet,
  snippet: snippet.nullable().describe('Of another text that matches; null if only the title does'),
};

/** The best matches first. If nothing matches, those with similar names. */
export const foundOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    total: z.int().describe(`All matches, up to ${MAX_COUNTED_MATCHES}`),
    more: z.boolean().describe('Whether there are more matches than `total`'),
  });
