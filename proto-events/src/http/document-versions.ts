import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, pageQuery, time, uploadedFile } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { userSummary } from '../people.ts';
import { document, listLinkQuery, visibility } from './documents.ts';

export const documentVersion = z.object({
  number: z.int().describe('From 1'),
  isCurrent: z.boolean(),
  mimetype: z.string(),
  size: z.int().describe('Bytes'),
  sha256: z.string(),
  uploadedBy: userSummary.describe('Who uploaded or restored it'),
  restoredFrom: z.int().optional().describe('The number of the restored version'),
  createdAt: time,
  downloadUrl: z.string().optional(),
  fileLost: z.literal(true).optional().describe('The object store has lost its content'),
});
export type DocumentVersion = z.infer<typeof documentVersion>;

export const deletedDocument = z.object({
  _id: id,
  name: z.string(),
  mimetype: z.string(),
  size: z.int().describe('Bytes of its current file'),
  visibility,
  project: id.nullable(),
  uploadedBy: userSummary,
  deletedBy: userSummary,
  deletedAt: time,
  goneAt: time.describe('When it is permanently deleted'),
});
export type DeletedDocument = z.infer<typeof deletedDocument>;

export const addDocumentVersion = endpoint({
  method: 'POST',
  path: '/documents/:id/versions',
  summary: 'Upload a new version of a document’s file (its uploader and administrators)',
  access: 'user',
  params: idParams,
  idempotent: true,
  multipart: z.object({ file: uploadedFile }),
  response: document,
  status: 201,
  errors: ['conflict', 'forbidden', 'not_found', 'too_large', 'unavailable'],
  rules: ['The file is empty', 'A field of the form is too long', 'The form has too many parts'],
});

export const listDocumentVersions = endpoint({
  method: 'GET',
  path: '/documents/:id/versions',
  summary: 'List the versions of a document’s file, newest first',
  access: 'user',
  params: idParams,
  query: pageQuery.extend(listLinkQuery),
  response: pageOf(documentVersion),
  status: 200,
  errors: ['not_found'],
});

const versionParams = idParams.extend({ number: z.coerce.number().int().min(1).max(2_147_483_647) });

export const getDocumentVersion = endpoint({
  method: 'GET',
  path: '/documents/:id/versions/:number',
  summary: 'Get a version with a fresh download link, which counts as a download',
  access: 'user',
  params: versionParams,
  response: documentVersion,
  status: 200,
  errors: ['not_found'],
});

export const restoreDocumentVersion = endpoint({
  method: 'POST',
  path: '/documents/:id/versions/:number/restore',
  summary: 'Restore an earlier version as the newest one (its uploader and administrators)',
  access: 'user',
  params: versionParams,
  idempotent: true,
  response: document,
  status: 200,
  errors: ['conflict', 'forbidden', 'not_found'],
});

export const listDeletedDocuments = endpoint({
  method: 'GET',
  path: '/documents/trash',
  summary: 'List documents in the trash: the caller’s uploads, or all for administrators; last deleted first',
  access: 'user',
  query: pageQuery,
  response: pageOf(deletedDocument),
  status: 200,
});

export const restoreDocument = endpoint({
  method: 'POST',
  path: '/documents/trash/:id/restore',
  summary: 'Restore a document from the trash (its uploader and administrators)',
  access: 'user',
  params: idParams,
  response: document,
  status: 200,
  errors: ['not_found'],
});

export const purgeDocument = endpoint({
  method: 'DELETE',
  path: '/documents/trash/:id',
  summary: 'Permanently delete a document in the trash and its content (its uploader and administrators)',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['not_found'],
});
