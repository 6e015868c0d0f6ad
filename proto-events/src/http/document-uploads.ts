import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, requiredName, time } from '../fields.ts';
import { document, uploadFields } from './documents.ts';

/** Limit per user, because each upload keeps parts in the object store for up to a day. */
export const MAX_UNFINISHED_UPLOADS = 100;

/** An upload that is visible only to its uploader, and discarded after a day of inactivity. */
export const unfinishedUpload = z.object({
  _id: id,
  fileName: z.string(),
  size: z.int().describe('Bytes'),
  lastModified: z.int().optional().describe('From the client, in milliseconds since 1970'),
  document: id.nullable().describe('The document this file is a new version of'),
  touchedAt: time.describe('When the upload last made progress'),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;

export const documentUpload = unfinishedUpload.extend({
  partBytes: z.int().describe('Size of each part except the last'),
  parts: z.array(z.int()).describe('Numbers of the stored parts, from 1'),
});
export type DocumentUpload = z.infer<typeof documentUpload>;

export const beginDocumentUploadBody = uploadFields.extend({
  fileName: requiredName('A file name is required', 1000),
  size: z.int().min(1, 'The file is empty').describe('Bytes'),
  lastModified: z.int().min(0).optional().describe('To recognize the same file; in milliseconds since 1970'),
  document: id.optional().describe('Uploads a new version of this document; its metadata stays the same'),
});

export const beginDocumentUpload = endpoint({
  method: 'POST',
  path: '/documents/uploads',
  summary: 'Start an upload in parts, so that a lost connection costs at most one part',
  access: 'user',
  idempotent: true,
  body: beginDocumentUploadBody,
  response: documentUpload,
  status: 201,
  errors: ['conflict', 'forbidden', 'not_found', 'too_large', 'unavailable'],
  rules: ['Project not found'],
});

export const listDocumentUploads = endpoint({
  method: 'GET',
  path: '/documents/uploads',
  summary: 'List the caller’s unfinished uploads, newest first',
  access: 'user',
  response: z.object({ data: z.array(unfinishedUpload) }),
  status: 200,
});

export const getDocumentUpload = endpoint({
  method: 'GET',
  path: '/documents/uploads/:id',
  summary: 'Get an upload and which parts are stored',
  access: 'user',
  params: idParams,
  response: documentUpload,
  status: 200,
  errors: ['not_found', 'unavailable'],
});

export const putDocumentUploadPart = endpoint({
  method: 'PUT',
  path: '/documents/uploads/:id/parts/:number',
  summary: 'Upload one part, in any order; uploading the same part again is a no-op',
  access: 'user',
  params: idParams.extend({ number: z.coerce.number().int().min(1).max(10_000) }),
  binaryBody: 'The part, with its length in `Content-Length`',
  status: 204,
  errors: ['not_found', 'request_timeout', 'unavailable'],
  rules: ['The part has the wrong size'],
});

export const completeDocumentUpload = endpoint({
  method: 'POST',
  path: '/documents/uploads/:id/complete',
  summary: 'Create the document of an upload whose parts are complete; a retry returns the same document',
  access: 'user',
  params: idParams,
  response: document,
  status: 201,
  errors: ['conflict', 'forbidden', 'not_found', 'too_large', 'unavailable'],
  rules: ['Project not found'],
});

export const cancelDocumentUpload = endpoint({
  method: 'DELETE',
  path: '/documents/uploads/:id',
  summary: 'Cancel an upload and delete its parts',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['conflict', 'not_found'],
});
