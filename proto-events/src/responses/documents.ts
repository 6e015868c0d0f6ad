// Browsers import this module, so it has no schemas.

import type { Tag } from '../change-tags.ts';
import {
  byFields,
  computed,
  type IsAffected,
  type ResponseDefinitions,
  type ResponseRequest,
  unaffected,
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

const OWN_UPLOADS = 'Each browser updates its own uploads';

export const DOCUMENT_RESPONSES: ResponseDefinitions = {
  '/documents': computed(foundDocuments, affectsFound),
  '/documents/recent': computed(documents),
  '/documents/shared': computed(documents),
  '/documents/project/:id': computed(documents),
  '/documents/stats/history': unaffected('Statistics that are requested when they are opened'),
  '/documents/stats': computed(() => ['documents'], byFields('name', 'tags', 'visibility', 'sharedWith', 'file')),
  '/documents/trash': computed(documents),
  '/documents/:id': computed(documents),
  '/documents/:id/versions': computed(documents),
  '/documents/:id/versions/:number': unaffected('A version never changes'),
  '/documents/:id/shares': computed(documents),
  '/documents/:id/access': computed(documents),
  '/documents/:id/downloads': unaffected('Downloads have no event: the log is polled while it is open'),
  '/documents/:id/preview': unaffected('Contains a link that is in use'),
  '/documents/limits': unaffected(OWN_UPLOADS),
  '/documents/uploads': unaffected(OWN_UPLOADS),
  '/documents/uploads/:id': unaffected(OWN_UPLOADS),
};
