// Browsers import this module, so it has no schemas.

import type { Tag } from '../change-tags.ts';
import {
  byFields,
  computed,
  type IsAffected,
  type ResponseDefinitions,
  type ResponseRequest,
  UNAFFECTED,
} from './response.ts';

/*
 * Documents are not patched in lists: items contain links to thumbnails, which are signed for each request, and searches
 * also find text of the files.
 */

const documents = (): Tag[] => ['documents', 'people'];
/** Searches also find documents by the name of their uploader. */
const foundDocuments = ({ query }: ResponseRequest): Tag[] =>
  query.get('search') ? [...documents(), 'users'] : documents();
const affectsFound: IsAffected = ({ resource, tags }) => resource !== 'user' || tags.includes('people');

export const DOCUMENT_RESPONSES: ResponseDefinitions = {
  '/documents': computed(foundDocuments, affectsFound),
  '/documents/recent': computed(documents),
  '/documents/shared': computed(documents),
  '/documents/project/:id': computed(documents),
  // Statistics that are requested when they are opened.
  '/documents/stats/history': UNAFFECTED,
  '/documents/stats': computed(() => ['documents'], byFields('name', 'tags', 'visibility', 'sharedWith', 'file')),
  '/documents/trash': computed(documents),
  '/documents/:id': computed(documents),
  '/documents/:id/versions': computed(documents),
  // A version never changes.
  '/documents/:id/versions/:number': UNAFFECTED,
  '/documents/:id/shares': computed(documents),
  '/documents/:id/access': computed(documents),
  // Downloads have no event: the log is polled while it is open.
  '/documents/:id/downloads': UNAFFECTED,
  // Contains a link that is in use.
  '/documents/:id/preview': UNAFFECTED,
  // Each browser updates its own uploads.
  '/documents/limits': UNAFFECTED,
  '/documents/uploads': UNAFFECTED,
  '/documents/uploads/:id': UNAFFECTED,
};
