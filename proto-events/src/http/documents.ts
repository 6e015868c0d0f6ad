import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  boundedArray,
  csvEnum,
  id,
  idParams,
  optionalName,
  optionalText,
  pageOf,
  pageQuery,
  requiredName,
  searchText,
  time,
  uploadedFile,
  usersPerItem,
} from '../fields.ts';
import { departmentRef, userSummary } from '../people.ts';
import { thumbnail, thumbnailError } from '../preview.ts';
import { tags } from '../tags.ts';

export const visibility = z.enum(['private', 'team', 'public'], { error: 'Invalid visibility' });

/**
 * A document as every call answers it. `downloadUrl` lives five minutes at most and is absent without an object store. It is in what is
 * asked for, a document, a version or a list of them, unless that is asked for with `link=false`; whoever is given one is written down in
 * the download log. The answer to an upload has it, too, unwritten: who has just sent a file has it. Other answers have none.
 */
export const document = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  visibility,
  tags: z.array(z.string()),
  mimetype: z.string().describe('Found from the bytes'),
  size: z.int().describe('Bytes'),
  sha256: z.string(),
  downloadUrl: z.string().optional(),
  uploadedBy: userSummary,
  sharedWith: z.array(userSummary),
  sharedWithCount: z.int().describe('How many users it is shared with, one by one'),
  sharedWithDepartments: z.array(departmentRef).optional().describe('Whoever is in one now reads it'),
  sharedWithProjects: z.array(id).optional().describe('Whoever is in one now reads it'),
  project: id.nullable(),
  createdAt: time,
  updatedAt: time,
  version: z.int(),
  fileNumber: z.int().describe('Version number of the file, from 1'),
  thumbnail: thumbnail
    .nullable()
    .optional()
    .describe('A small picture of an image, in pixels; null while it is being made'),
  thumbnailError: thumbnailError.optional().describe('Of an image without a thumbnail: why none is made'),
  fileLost: z.literal(true).optional().describe('The object store no longer has its bytes'),
  text: z
    .enum(['pending', 'done', 'none', 'failed'])
    .optional()
    .describe(
      'Whether its text is read and found by a search: not yet, it is, there is none to be read, or it cannot be read',
    ),
  abilities: z.object({ update: z.boolean(), delete: z.boolean(), share: z.boolean() }),
  /** Why, in the words of the refusal, for each ability that the caller lacks. Everyone who can read a document can share it. */
  refusals: z.object({ update: z.string().optional(), delete: z.string().optional() }),
});
export type Document = z.infer<typeof document>;

const link = z.enum(['true', 'false']);

/** Whether a single resource carries a link to its file. */
export const linkQuery = {
  link: link
    .default('true')
    .describe('`false` for what is only looked at: it has no link then, and nothing is written into the download log'),
};

/** Whether the items of a list carry links to their files. */
export const listLinkQuery = {
  link: link.default('false').describe('`true` for links to the files, each of which is written into the download log'),
};

/** How lists of documents show their items. */
const listQuery = {
  ...listLinkQuery,
  people: usersPerItem('How many of the users that each document is shared with'),
};

export const uploadFields = z.object({
  name: optionalName(255).optional().describe('The file’s own name by default'),
  description: optionalText(2000).default(''),
  visibility: visibility.default('private'),
  tags: tags.default([]),
  // A form has no null.
  project: z
    .union([z.literal('').transform(() => null), id])
    .default(null)
    .describe('One of the caller’s projects; unknown: 400'),
});

export const updateDocumentBody = z.object({
  name: requiredName('Document name is required', 255).optional(),
  description: optionalText(2000).optional(),
  visibility: visibility.optional(),
  tags: tags.optional(),
  version: z.int().optional(),
});

const shareBody = z
  .object({
    userIds: boundedArray(500, z.array(id).min(1, 'Select at least one person')).optional(),
    departmentIds: boundedArray(100, z.array(id)).optional().describe('Whoever is in one, as long as they are'),
    projectIds: boundedArray(100, z.array(id)).optional().describe('The people of each, as long as they are'),
  })
  .refine(
    ({ userIds, departmentIds = [], projectIds = [] }) =>
      userIds !== undefined || departmentIds.length + projectIds.length > 0,
    { error: 'Select whom to share with', path: ['userIds'] },
  );

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

/** A piece of a document's text around what was sought, as plain text; `marks` are places in it, in units of UTF-16. */
export const snippet = z.object({
  text: z.string(),
  marks: z.array(z.object({ start: z.int(), end: z.int() })).describe('What was found, in order; `end` is behind it'),
});
export type Snippet = z.infer<typeof snippet>;

export const foundDocument = document.extend({
  snippet: snippet
    .optional()
    .describe('Of a search, where the text of its present file has every word that was sought'),
});
export type FoundDocument = z.infer<typeof foundDocument>;

export const listDocuments = endpoint({
  method: 'GET',
  path: '/documents',
  summary: 'Documents the caller may read',
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
    tag: optionalName(50).optional().describe('One of its tags, as it is written'),
    sortBy: z.enum(['createdAt', 'name', 'size']).default('createdAt'),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
  }),
  response: pageOf(foundDocument),
  status: 200,
});

export const listRecentDocuments = endpoint({
  method: 'GET',
  path: '/documents/recent',
  summary: 'What was uploaded last of what the caller may read',
  access: 'user',
  query: pageQuery.extend(listQuery),
  response: pageOf(document),
  status: 200,
});

export const listProjectDocuments = endpoint({
  method: 'GET',
  path: '/documents/project/:id',
  summary: 'Documents of a project that the caller may read, newest first',
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
  summary: 'How large a file may be, and how much room there is, to be asked before an upload',
  access: 'user',
  response: z.object({
    maxFileBytes: z.int(),
    usedBytes: z.int().describe('What the caller’s documents take'),
    quotaBytes: z.int().nullable().describe('What they may take; null without a limit'),
    availableBytes: z
      .int()
      .nullable()
      .describe('What is left of the caller’s quota and of the workspace’s; null without limits'),
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
  summary: 'Counts of what the caller may read; sizes in bytes, recent is the last 7 days',
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

export const getDocument = endpoint({
  method: 'GET',
  path: '/documents/:id',
  summary: 'One document with a fresh download link, which counts as a download',
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
  summary: 'Put a document into the bin for 30 days (its uploader and administrators)',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
});

export const shareDocument = endpoint({
  method: 'POST',
  path: '/documents/:id/share',
  summary: 'Let people, departments and the people of projects read a document (whoever can read it)',
  access: 'user',
  params: idParams,
  body: shareBody,
  response: document,
  status: 200,
  errors: ['conflict', 'not_found'],
  rules: [
    'Documents can be shared with active users only',
    'Documents can be shared with active departments only',
    'Project not found',
  ],
});

export const unshareDocument = endpoint({
  method: 'DELETE',
  path: '/documents/:id/share',
  summary: 'Take a share back (its uploader and administrators)',
  access: 'user',
  params: idParams,
  body: shareBody,
  status: 204,
  errors: ['forbidden', 'not_found'],
});
