import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, requiredName, time } from '../fields.ts';
import { document, uploadFields } from './documents.ts';

/** A file that comes in parts and is not whole yet: its caller's alone, and gone once it was left alone for a day. */
export const unfinishedUpload = z.object({
  _id: id,
  fileName: z.string(),
  size: z.int().describe('Bytes'),
  lastModified: z.int().optional().describe('As the client said, in milliseconds since 1970'),
  document: id.nullable().describe('The document of which it is a new version'),
  touchedAt: time.describe('When a part of it came last'),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;

export const documentUpload = unfinishedUpload.extend({
  partBytes: z.int().describe('What each part has, but for the last one'),
  parts: z.array(z.int()).describe('The numbers of those that are there, from 1'),
});
export type DocumentUpload = z.infer<typeof documentUpload>;

export const beginDocumentUploadBody = uploadFields.extend({
  fileName: requiredName('A file name is required', 1000),
  size: z.int().min(1, 'The file is empty').describe('Bytes'),
  lastModified: z.int().min(0).optional().describe('To know the same file again; in milliseconds since 1970'),
  document: id.optional().describe('It is a new version of this document, which keeps what it says of itself'),
});

export const beginDocumentUpload = endpoint({
  method: 'POST',
  path: '/documents/uploads',
  summary: 'Begin to upload a file in parts, so that a lost connection costs one part at most',
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
  summary: 'What the caller began to upload in parts and has not finished, the newest first',
  access: 'user',
  response: z.object({ data: z.array(unfinishedUpload) }),
  status: 200,
});

export const getDocumentUpload = endpoint({
  method: 'GET',
  path: '/documents/uploads/:id',
  summary: 'Which parts of an upload are there',
  access: 'user',
  params: idParams,
  response: documentUpload,
  status: 200,
  errors: ['not_found', 'unavailable'],
});

export const putDocumentUploadPart = endpoint({
  method: 'PUT',
  path: '/documents/uploads/:id/parts/:number',
  summary: 'Bring one part of an upload, in any order; the same one again changes nothing',
  access: 'user',
  params: idParams.extend({ number: z.coerce.number().int().min(1).max(10_000) }),
  bytes: 'The part, with its length in `Content-Length`',
  status: 204,
  errors: ['not_found', 'request_timeout', 'unavailable'],
  rules: ['The part has another length than it must have'],
});

export const completeDocumentUpload = endpoint({
  method: 'POST',
  path: '/documents/uploads/:id/complete',
  summary: 'Make the document of an upload whose parts are all there; again it answers the same document',
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
  summary: 'Give up an upload and what has arrived of it',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['conflict', 'not_found'],
});
