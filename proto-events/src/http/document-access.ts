import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { boundedArray, id, idParams, pageOf, pageQuery, time } from '../fields.ts';
import { departmentRef, userSummary } from '../people.ts';

/** A share of a document, with one person or with whoever is in a department or a project now. */
export const documentShare = z.object({
  kind: z.enum(['person', 'department', 'project']),
  user: userSummary.optional().describe('Of a person'),
  department: departmentRef.optional().describe('Of a department'),
  project: id.optional().describe('Of a project'),
  sharedBy: userSummary,
  sharedAt: time,
});
export type DocumentShare = z.infer<typeof documentShare>;

/** What opens a document to somebody. */
export const accessReason = z.object({
  kind: z
    .enum(['administrator', 'uploader', 'public', 'workspace', 'team', 'shared'])
    .describe('workspace: for the team, of no project; team: for the people of its project'),
  project: id.optional().describe('Of a team: the project that they are in'),
  share: documentShare.optional().describe('Of shared'),
  mayEnd: z.boolean().describe('Whether the caller may end it, by taking the share back'),
});
export type AccessReason = z.infer<typeof accessReason>;

export const listDocumentShares = endpoint({
  method: 'GET',
  path: '/documents/:id/shares',
  summary: 'With whom a document is shared, by whom and since when (whoever can read it)',
  access: 'user',
  params: idParams,
  response: z.object({ data: z.array(documentShare), mayEnd: z.boolean().describe('Whether the caller may end them') }),
  status: 200,
  errors: ['not_found'],
});

export const explainDocumentAccess = endpoint({
  method: 'GET',
  path: '/documents/:id/access',
  summary: 'Why somebody can open a document: its uploader and administrators of anybody, others of themselves',
  access: 'user',
  params: idParams,
  query: z.object({ user: id.optional().describe('The caller by default') }),
  response: z.object({
    user: userSummary,
    canOpen: z.boolean().describe('False of somebody who cannot sign in, whatever the reasons'),
    reasons: z.array(accessReason),
  }),
  status: 200,
  errors: ['forbidden', 'not_found'],
});

/** Who can be asked about in one call: as many as a conversation shows. */
const MAX_CHECKED_USERS = 500;

export const findUsersWithoutAccess = endpoint({
  method: 'POST',
  path: '/documents/:id/access',
  summary: 'Who of these people cannot open a document (whoever can read it)',
  access: 'user',
  params: idParams,
  body: z.object({ userIds: boundedArray(MAX_CHECKED_USERS, z.array(id).min(1, 'Select at least one person')) }),
  response: z.object({
    asked: z.int().describe('Each person once'),
    cannotOpen: z.array(userSummary).describe('In the order in which they were asked about'),
  }),
  status: 200,
  errors: ['not_found'],
});

/** A link to the file that was handed out. */
export const documentDownload = z.object({
  _id: z.string(),
  user: userSummary,
  fileNumber: z.int().describe('Which version of the file it was'),
  at: time,
});
export type DocumentDownload = z.infer<typeof documentDownload>;

export const listDocumentDownloads = endpoint({
  method: 'GET',
  path: '/documents/:id/downloads',
  summary:
    'Who was given a link to its file in the last 180 days, latest first (its uploader and administrators); by lists at most once in five minutes each',
  access: 'user',
  params: idParams,
  query: pageQuery,
  response: pageOf(documentDownload),
  status: 200,
  errors: ['forbidden', 'not_found'],
});
