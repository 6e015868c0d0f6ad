import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  csvEnum,
  id,
  idParams,
  optionalName,
  optionalText,
  pageQuery,
  requiredName,
  searchText,
  time,
  uploadedFile,
  usersPerItem,
} from '../fields.ts';
import { pageOf } from '../pages.ts';
import { departmentRef, userSummary } from '../people.ts';
import { dayQuery, STATISTICS_DENIED, storageHistory } from '../statistics.ts';
import { tags } from '../tags.ts';
import { thumbnail, thumbnailError } from './previews.ts';

export const visibility = z.enum(['private', 'team', 'public'], { error: 'Invalid visibility' });

/**
 * `downloadUrl` expires within five minutes and is absent without an object store. Single documents and versions
 * contain it unless requested with `link=false`, lists only with `link=true`; each issued link is recorded in
 * the download log. The response to an upload also contains it, unrecorded. Other responses contain none.
 */
export const document = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  visibility,
  tags: z.array(z.string()),
  mimetype: z.string().describe('Detected from the content'),
  size: z.int().describe('Bytes'),
  sha256: z.string(),
  downloadUrl: z.string().optional(),
  uploadedBy: userSummary,
  sharedWith: z.array(userSummary),
  sharedWithCount: z.int().describe('Number of users it is shared with individually'),
  sharedWithDepartments: z.array(departmentRef).optional().describe('Current members can read it'),
  sharedWithProjects: z.array(id).optional().describe('Current members can read it'),
  project: id.nullable(),
  createdAt: time,
  updatedAt: time,
  version: z.int(),
  fileNumber: z.int().describe('File version number, from 1'),
  thumbnail: thumbnail
    .nullable()
    .optional()
    .describe('Thumbnail of an image, in pixels; null while it is being created'),
  thumbnailError: thumbnailError.optional().describe('For images without a thumbnail: the reason'),
  fileLost: z.literal(true).optional().describe('The object store has lost its content'),
  text: z
    .enum(['pending', 'done', 'none', 'failed'])
    .optional()
    .describe('State of the text index: pending, indexed, without text, or failed'),
  abilities: z.object({ update: z.boolean(), delete: z.boolean(), share: z.boolean() }),
  denialReasons: z.object({ update: z.string().optional(), delete: z.string().optional() }),
});
export type Document = z.infer<typeof document>;

const link = z.enum(['true', 'false']);

export const linkQuery = {
  link: link.default('true').describe('`false` omits the link, and nothing is recorded in the download log'),
};

export const listLinkQuery = {
  link: link
    .default('false')
    .describe('`true` includes links to the files, each of which is recorded in the download log'),
};

const listQuery = {
  ...listLinkQuery,
  people: usersPerItem('How many of the users that each document is shared with'),
};

export const uploadFields = z.object({
  name: optionalName(255).optional().describe('The file’s own name by default'),
  description: optionalText(2000).default(''),
  visibility: visibility.default('private'),
  tags: tags.default([]),
  // An empty string means null, which forms do not have.
  project: z
    .union([z.literal('').transform(() => null), id])
    .default(null)
    .describe('One of the caller’s projects; an unknown one responds 400'),
});

export const updateDocumentBody = z.object({
  name: requiredName('Document name is required', 255).optional(),
  description: optionalText(2000).optional(),
  visibility: visibility.optional(),
  tags: tags.optional(),
  version: z.int().optional(),
});

export const documentKind = z.enum([
  'image',
  'pdf',
  'document',
  'spreadsheet',
  'presentation',
  'text',
  'audio',
  'video',
  'archive',
  'other',
]);
export type DocumentKind = z.infer<typeof documentKind>;

/** Plain text; `marks` are positions in it, in UTF-16 units. */
export const snippet = z.object({
  text: z.string(),
  marks: z.array(z.object({ start: z.int(), end: z.int() })).describe('The matches, in order; `end` is exclusive'),
});
export type Snippet = z.infer<typeof snippet>;

export const foundDocument = document.extend({
  snippet: snippet
    .optional()
    .describe('Of a search: present if the text of the current file contains every search term'),
});
export type FoundDocument = z.infer<typeof foundDocument>;

export const listDocuments = endpoint({
  method: 'GET',
  path: '/documents',
  summary: 'List documents that the caller can read',
  access: 'user',
  query: pageQuery.extend({
    ...listQuery,
    search: searchText(
      200,
      'Words of its name, description, and tags, or parts of them; of its uploader; or of its text, or their beginnings; in any order',
    ),
    kind: csvEnum(documentKind),
    visibility: csvEnum(visibility),
    uploadedBy: id.optional(),
    project: id.optional(),
    tag: optionalName(50).optional().describe('One of its tags, exactly'),
    sortBy: z.enum(['createdAt', 'name', 'size']).default('createdAt'),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
  }),
  response: pageOf(foundDocument),
  status: 200,
});

export const listRecentDocuments = endpoint({
  method: 'GET',
  path: '/documents/recent',
  summary: 'List the latest uploads that the caller can read',
  access: 'user',
  query: pageQuery.extend(listQuery),
  response: pageOf(document),
  status: 200,
});

export const listProjectDocuments = endpoint({
  method: 'GET',
  path: '/documents/project/:id',
  summary: 'List documents of a project that the caller can read, newest first',
  access: 'user',
  params: idParams,
  query: pageQuery.extend(listQuery),
  response: pageOf(document),
  status: 200,
  errors: ['not_found'],
});

export const getDocumentLimits = endpoint({
  method: 'GET',
  path: '/documents/limits',
  summary: 'Get the upload limits and the remaining quota, before an upload',
  access: 'user',
  response: z.object({
    maxFileBytes: z.int(),
    usedBytes: z.int().describe('Bytes of the caller’s documents'),
    quotaBytes: z.int().nullable().describe('The caller’s quota; null if unlimited'),
    availableBytes: z
      .int()
      .nullable()
      .describe('Remaining bytes of the caller’s and the workspace’s quota; null if unlimited'),
  }),
  status: 200,
});

export const uploadDocument = endpoint({
  method: 'POST',
  path: '/documents/upload',
  summary: 'Upload a file; new documents start private',
  access: 'user',
  idempotent: true,
  multipart: uploadFields.extend({ file: uploadedFile }),
  response: document,
  status: 201,
  errors: ['forbidden', 'too_large', 'unavailable'],
  rules: ['The file is empty', 'A field of the form is too long', 'The form has too many parts', 'Project not found'],
});

export const getDocumentStats = endpoint({
  method: 'GET',
  path: '/documents/stats',
  summary: 'Count what the caller can read; sizes in bytes, recent is the last 7 days',
  access: 'user',
  response: z.object({
    total: z.int(),
    totalSize: z.int(),
    recentUploads: z.int(),
    mostDownloaded: z.array(z.object({ _id: id, name: z.string(), downloads: z.int() })),
    categories: z.int().describe('Distinct tags'),
  }),
  status: 200,
});

export const getStorageHistory = endpoint({
  method: 'GET',
  path: '/documents/stats/history',
  summary: 'Sum the stored files of documents by the day on which they were added (administrators)',
  access: 'admin',
  forbiddenMessage: STATISTICS_DENIED,
  query: dayQuery,
  response: storageHistory,
  status: 200,
});

export const getDocument = endpoint({
  method: 'GET',
  path: '/documents/:id',
  summary: 'Get a document with a fresh download link, which counts as a download',
  access: 'user',
  params: idParams,
  query: z.object(linkQuery),
  response: document,
  status: 200,
  errors: ['not_found'],
});

export const updateDocument = endpoint({
  method: 'PATCH',
  path: '/documents/:id',
  summary: 'Change a document (its uploader and administrators)',
  access: 'user',
  params: idParams,
  body: updateDocumentBody,
  response: document,
  status: 200,
  errors: ['forbidden', 'not_found', 'stale_version'],
});

export const deleteDocument = endpoint({
  method: 'DELETE',
  path: '/documents/:id',
  summary: 'Move a document to the trash for 30 days (its uploader and administrators)',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
});
