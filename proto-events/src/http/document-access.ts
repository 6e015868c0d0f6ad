import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { boundedArray, id, idParams, pageQuery, time, usersPerItem } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { departmentRef, userSummary } from '../people.ts';
import { document } from './documents.ts';

export const documentShare = z.object({
  kind: z.enum(['person', 'department', 'project']),
  user: userSummary.optional().describe('Set for a user'),
  department: departmentRef.optional().describe('Set for a department'),
  project: id.optional().describe('Set for a project'),
  sharedBy: userSummary,
  sharedAt: time,
});
export type DocumentShare = z.infer<typeof documentShare>;

export const sharedDocument = document.extend({ sharedBy: userSummary, sharedAt: time });
export type SharedDocument = z.infer<typeof sharedDocument>;

export const listSharedDocuments = endpoint({
  method: 'GET',
  path: '/documents/shared',
  summary:
    'List documents that others shared with the caller, their department, or one of their projects, latest share first',
  access: 'user',
  query: pageQuery.extend({ people: usersPerItem('How many of the users that each document is shared with') }),
  response: pageOf(sharedDocument),
  status: 200,
});

export const accessReason = z.object({
  kind: z
    .enum(['administrator', 'uploader', 'public', 'workspace', 'team', 'shared'])
    .describe('workspace: open to everyone, without a project; team: open to its project’s people'),
  project: id.optional().describe('With team: the project they are in'),
  share: documentShare.optional().describe('With shared'),
  canRemove: z.boolean().describe('Whether the caller can end it by removing the share'),
});
export type AccessReason = z.infer<typeof accessReason>;

export const listDocumentShares = endpoint({
  method: 'GET',
  path: '/documents/:id/shares',
  summary: 'List the shares of a document, with who shared it and when (anyone who can read it)',
  access: 'user',
  params: idParams,
  response: z.object({
    data: z.array(documentShare),
    canRemove: z.boolean().describe('Whether the caller can remove shares'),
  }),
  status: 200,
  errors: ['not_found'],
});

export const explainDocumentAccess = endpoint({
  method: 'GET',
  path: '/documents/:id/access',
  summary:
    'Explain why a person can open a document: anyone for its uploader and administrators, only themselves for others',
  access: 'user',
  params: idParams,
  query: z.object({ user: id.optional().describe('The caller by default') }),
  response: z.object({
    user: userSummary,
    canOpen: z.boolean().describe('False for someone who cannot sign in, regardless of reasons'),
    reasons: z.array(accessReason),
  }),
  status: 200,
  errors: ['forbidden', 'not_found'],
});

/** Maximum users per request: as many as a conversation shows. */
const MAX_CHECKED_USERS = 500;

export const findUsersWithoutAccess = endpoint({
  method: 'POST',
  path: '/documents/:id/access',
  summary: 'Find which of these people cannot open a document (anyone who can read it)',
  access: 'user',
  params: idParams,
  body: z.object({ userIds: boundedArray(MAX_CHECKED_USERS, z.array(id).min(1, 'Select at least one person')) }),
  response: z.object({
    asked: z.int().describe('Without duplicates'),
    cannotOpen: z.array(userSummary).describe('In the order of the request'),
  }),
  status: 200,
  errors: ['not_found'],
});

export const documentDownload = z.object({
  _id: z.string(),
  user: userSummary,
  fileNumber: z.int().describe('The version of the file'),
  at: time,
});
export type DocumentDownload = z.infer<typeof documentDownload>;

export const listDocumentDownloads = endpoint({
  method: 'GET',
  path: '/documents/:id/downloads',
  summary:
    'List who received a link to its file in the last 180 days, latest first (its uploader and administrators); links in lists count at most once every five minutes per person',
  access: 'user',
  params: idParams,
  query: pageQuery,
  response: pageOf(documentDownload),
  status: 200,
  errors: ['forbidden', 'not_found'],
});

const shareBody = z
  .object({
    userIds: boundedArray(500, z.array(id).min(1, 'Select at least one person')).optional(),
    departmentIds: boundedArray(100, z.array(id))
      .optional()
      .describe('Everyone in the department, including future members'),
    projectIds: boundedArray(100, z.array(id)).optional().describe('Everyone in the project, including future members'),
  })
  .refine(
    ({ userIds, departmentIds = [], projectIds = [] }) =>
      userIds !== undefined || departmentIds.length + projectIds.length > 0,
    { error: 'Select whom to share with', path: ['userIds'] },
  );

export const shareDocument = endpoint({
  method: 'POST',
  path: '/documents/:id/share',
  summary: 'Share a document with people, departments, or the people of projects (anyone who can read it)',
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
  summary: 'Remove a share (its uploader and administrators)',
  access: 'user',
  params: idParams,
  body: shareBody,
  status: 204,
  errors: ['forbidden', 'not_found'],
});
