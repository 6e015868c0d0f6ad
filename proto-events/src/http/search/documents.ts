import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, time } from '../../fields.ts';
import { userSummary } from '../../people.ts';
import { foundOf, foundTexts, searchQuery } from '../found.ts';

export const foundDocument = z.object({
  _id: id,
  ...foundTexts,
  name: z.string(),
  mimetype: z.string(),
  project: id.nullable(),
  uploadedBy: userSummary,
  updatedAt: time,
});
export type FoundDocument = z.infer<typeof foundDocument>;

export const searchDocuments = endpoint({
  method: 'GET',
  path: '/documents/search',
  summary:
    'Search the documents that the caller can read by name, description, tags, and text, and tolerate typos in names',
  access: 'user',
  query: searchQuery,
  response: foundOf(foundDocument),
  status: 200,
});
