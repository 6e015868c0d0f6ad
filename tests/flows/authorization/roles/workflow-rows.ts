import { waitFor } from '@atrium/test-kit/wait-for';
import { uploadForm } from '../../../workspace/builders.ts';
import { expectStatus } from '../../../workspace/workspace.ts';
import { meetingBody, type RoleFixture, unique } from './role-fixture.ts';
import { adminOnly, allCallers, type Row, row, signedInUsers, when } from './row.ts';

const newMeeting = async ({ make }: RoleFixture) => ({ params: { id: await make.meeting() } });
const newDocument = async ({ make }: RoleFixture) => ({ params: { id: await make.document() } });

/** The manager's meetings with the member. Of the other users, only administrators can see them. */
const MEETINGS: readonly Row[] = [
  row('GET /meetings', signedInUsers(200)),
  row('GET /meetings/upcoming', signedInUsers(200)),
  row('GET /meetings/unanswered', signedInUsers(200)),
  row('GET /meetings/project/:id', signedInUsers(200), ({ project }) => ({ params: { id: project } })),
  row('GET /meetings/calendar', signedInUsers(200), () => ({
    query: { from: '2030-01-01T00:00:00Z', to: '2030-02-01T00:00:00Z' },
  })),
  row('GET /meetings/search', signedInUsers(200), () => ({ query: { q: 'a' } })),
  row('GET /meetings/stats', signedInUsers(200)),
  row('POST /meetings/busy', signedInUsers(200), ({ actors }) => ({
    body: { people: [actors.manager.id], from: '2030-01-07T00:00:00Z', to: '2030-01-08T00:00:00Z' },
  })),
  row('POST /meetings/free-times', signedInUsers(200), ({ actors }) => ({
    body: { people: [actors.manager.id], from: '2030-01-07T00:00:00Z', durationMinutes: 60 },
  })),
  row('GET /meetings/rooms', signedInUsers(200)),
  row('POST /meetings/rooms', adminOnly(201), () => ({ body: { name: unique('Room '), size: 8 } })),
  row('PATCH /meetings/rooms/:id', adminOnly(200), async (fixture) => ({
    params: { id: await fixture.make.room() },
    body: { size: 12 },
  })),
  row('DELETE /meetings/rooms/:id', adminOnly(204), async (fixture) => ({ params: { id: await fixture.make.room() } })),
  row('GET /meetings/:id', [200, 200, 404, 200, 404, 401], newMeeting),
  row('GET /meetings/:id/calendar.ics', [200, 200, 404, 200, 404, 401], newMeeting),
  row('GET /meetings/feed', signedInUsers(200)),
  row('POST /meetings/feed', signedInUsers(201)),
  row('DELETE /meetings/feed', signedInUsers(204)),
  // The token in the URL is the only credential.
  row('GET /meetings/feed/:token.ics', allCallers(200), async ({ actors }) => ({
    params: {
      token: (await expectStatus(actors.manager.call<{ token: string }>('POST', '/meetings/feed'), 201)).token,
    },
  })),
  row('POST /meetings', [201, 201, 201, 403, 403, 401], ({ actors }) => ({ body: meetingBody(actors) })),
  row('PATCH /meetings/:id', [200, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newMeeting(fixture)),
    body: { title: unique('Meeting ') },
  })),
  when(
    'changing the notes',
    row('PATCH /meetings/:id', [200, 200, 404, 403, 404, 401], async (fixture) => ({
      ...(await newMeeting(fixture)),
      body: { notes: 'We agreed.' },
    })),
  ),
  row('DELETE /meetings/:id', [204, 204, 404, 403, 404, 401], newMeeting),
  row('PUT /meetings/:id/notes', [200, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newMeeting(fixture)),
    body: { base: '', text: 'We agreed.' },
  })),
  row('GET /meetings/:id/closing', [200, 200, 404, 200, 404, 401], newMeeting),
  row('GET /meetings/decisions', signedInUsers(200)),
  row('POST /meetings/:id/close', [201, 201, 404, 403, 404, 401], async ({ make }) => ({
    params: { id: await make.startedMeeting() },
    body: { summary: 'We agreed.', decisions: [{ text: unique('Decision ') }] },
  })),
  // The manager closed the meeting.
  row('DELETE /meetings/:id/close', [204, 204, 404, 403, 404, 401], async ({ make }) => ({
    params: { id: (await make.decision()).id },
  })),
  row('PATCH /meetings/:id/decisions/:decisionId', [200, 200, 404, 403, 404, 401], async ({ make }) => ({
    params: await make.decision(),
    body: { done: true },
  })),
  // The organizer has already accepted, and an administrator without an invitation cannot respond.
  row('POST /meetings/:id/respond', [403, 409, 404, 200, 404, 401], async (fixture) => ({
    ...(await newMeeting(fixture)),
    body: { status: 'accepted' },
  })),
];

/** Makes a department and waits until the documents service knows it. Until then, sharing with it fails with 400. */
async function newKnownDepartment({ actors, make }: RoleFixture): Promise<string> {
  const id = await make.department();
  const document = await make.document();
  const share = () => actors.admin.call('POST', `/documents/${document}/share`, { departmentIds: [id] });
  await waitFor(async () => (await share()).status === 200, {
    description: 'the documents service to know the department',
  });
  return id;
}

const newShare = async (fixture: RoleFixture) => ({
  ...(await newDocument(fixture)),
  body: { userIds: [fixture.actors.otherManager.id] },
});

const firstVersion = async ({ make }: RoleFixture) => ({ params: { id: await make.document(), number: '1' } });

const newUpload = async ({ make }: RoleFixture) => ({ params: { id: await make.upload() } });
/** An upload is visible only to its owner. */
const managerOnly = (status: number) => [404, status, 404, 404, 404, 401] as const;

const trashedDocument = async ({ actors, make }: RoleFixture) => {
  const id = await make.document();
  await expectStatus(actors.manager.call('DELETE', `/documents/${id}`), 204);
  return { params: { id } };
};

/** The manager's documents, which the members of the project can see. */
const DOCUMENTS: readonly Row[] = [
  row('GET /documents', signedInUsers(200)),
  row('GET /documents/stats', signedInUsers(200)),
  row('GET /documents/stats/history', adminOnly(200)),
  row('GET /documents/limits', signedInUsers(200)),
  row('GET /documents/search', signedInUsers(200), () => ({ query: { q: 'a' } })),
  row('GET /documents/recent', signedInUsers(200)),
  row('GET /documents/shared', signedInUsers(200)),
  row('GET /documents/project/:id', signedInUsers(200), ({ project }) => ({ params: { id: project } })),
  row('GET /documents/:id', [200, 200, 404, 200, 404, 401], newDocument),
  when(
    'public',
    row('GET /documents/:id', signedInUsers(200), async ({ actors, make }) => ({
      params: { id: await make.document(actors.manager, 'public') },
    })),
  ),
  when(
    'private',
    row('GET /documents/:id', [200, 200, 404, 404, 404, 401], async ({ actors, make }) => ({
      params: { id: await make.document(actors.manager, 'private') },
    })),
  ),
  row('GET /documents/:id/preview', [200, 200, 404, 200, 404, 401], newDocument),
  row('POST /documents/upload', signedInUsers(201), () => ({ form: uploadForm(unique('Mine ')) })),
  row('POST /documents/uploads', signedInUsers(201), () => ({ body: { fileName: unique('file-'), size: 4 } })),
  when(
    'uploading a new version',
    row('POST /documents/uploads', [201, 201, 404, 403, 404, 401], async ({ make }) => ({
      body: { fileName: unique('file-'), size: 4, document: await make.document() },
    })),
  ),
  row('GET /documents/uploads', signedInUsers(200)),
  row('GET /documents/uploads/:id', managerOnly(200), newUpload),
  row('PUT /documents/uploads/:id/parts/:number', managerOnly(204), async ({ make }) => ({
    params: { id: await make.upload(), number: '1' },
    bytes: 'four',
  })),
  row('POST /documents/uploads/:id/complete', managerOnly(201), async ({ make }) => ({
    params: { id: await make.upload(true) },
  })),
  row('DELETE /documents/uploads/:id', managerOnly(204), newUpload),
  row('PATCH /documents/:id', [200, 200, 404, 403, 404, 401], async (fixture) => ({
    ...(await newDocument(fixture)),
    body: { description: 'Read this first' },
  })),
  row('DELETE /documents/:id', [204, 204, 404, 403, 404, 401], newDocument),
  when(
    'uploaded by the member',
    row('DELETE /documents/:id', [204, 403, 404, 204, 404, 401], async ({ actors, make }) => ({
      params: { id: await make.document(actors.member) },
    })),
  ),
  row('POST /documents/:id/share', [200, 200, 404, 200, 404, 401], newShare),
  row('DELETE /documents/:id/share', [204, 204, 404, 403, 404, 401], newShare),
  when(
    'with a department',
    row('POST /documents/:id/share', [200, 200, 404, 200, 404, 401], async (fixture) => ({
      ...(await newDocument(fixture)),
      body: { departmentIds: [await newKnownDepartment(fixture)] },
    })),
  ),
  when(
    'with the members of a project',
    row('POST /documents/:id/share', [200, 200, 404, 200, 404, 401], async (fixture) => ({
      ...(await newDocument(fixture)),
      body: { projectIds: [fixture.project] },
    })),
  ),
  row('GET /documents/:id/shares', [200, 200, 404, 200, 404, 401], newDocument),
  row('GET /documents/:id/access', [200, 200, 404, 200, 404, 401], newDocument),
  when(
    'checking the access of another user',
    row('GET /documents/:id/access', [200, 200, 404, 403, 404, 401], async (fixture) => ({
      ...(await newDocument(fixture)),
      query: { user: fixture.actors.otherManager.id },
    })),
  ),
  row('POST /documents/:id/access', [200, 200, 404, 200, 404, 401], newShare),
  row('GET /documents/:id/downloads', [200, 200, 404, 403, 404, 401], newDocument),
  row('GET /documents/trash', signedInUsers(200)),
  row('POST /documents/trash/:id/restore', [200, 200, 404, 404, 404, 401], trashedDocument),
  row('DELETE /documents/trash/:id', [204, 204, 404, 404, 404, 401], trashedDocument),
  row('POST /documents/:id/versions', [201, 201, 404, 403, 404, 401], async (fixture) => ({
    ...(await newDocument(fixture)),
    form: uploadForm(unique('Version ')),
  })),
  row('GET /documents/:id/versions', [200, 200, 404, 200, 404, 401], newDocument),
  row('GET /documents/:id/versions/:number', [200, 200, 404, 200, 404, 401], firstVersion),
  row('POST /documents/:id/versions/:number/restore', [200, 200, 404, 403, 404, 401], firstVersion),
];

export const WORKFLOW_ROWS: readonly Row[] = [...MEETINGS, ...DOCUMENTS];
