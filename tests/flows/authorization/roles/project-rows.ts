import { projectBody, type RoleFixture, unique } from './role-fixture.ts';
import { adminOnly, type Row, row, signedInUsers, when } from './row.ts';

const sharedProject = ({ project }: RoleFixture) => ({ params: { id: project } });
const newTask = ({ project }: RoleFixture) => ({ body: { title: unique('New task '), project } });
const managersAndAdmin = (status: number) => [status, status, status, 403, 403, 401] as const;
const projectMembersAndManagers = (status: number) => [status, status, status, status, 403, 401] as const;

/** Administrators create projects. Project managers edit all projects, and delete those they manage. */
const PROJECTS: readonly Row[] = [
  row('GET /projects', signedInUsers(200)),
  row('GET /projects/search', signedInUsers(200), () => ({ query: { q: 'a' } })),
  row('GET /projects/stats', signedInUsers(200)),
  row('GET /projects/my-projects', signedInUsers(200)),
  row('GET /projects/:id', signedInUsers(200), sharedProject),
  row('GET /projects/:id/history', signedInUsers(200), sharedProject),
  row('POST /projects', adminOnly(201), ({ actors }) => ({ body: projectBody(actors) })),
  row('PATCH /projects/:id', managersAndAdmin(200), (fixture) => ({
    ...sharedProject(fixture),
    body: { name: unique('Project ') },
  })),
  when(
    'changing the progress',
    row('PATCH /projects/:id', managersAndAdmin(200), (fixture) => ({
      ...sharedProject(fixture),
      body: { progress: 40 },
    })),
  ),
  row('PUT /projects/:id/health', [200, 200, 403, 403, 403, 401], (fixture) => ({
    ...sharedProject(fixture),
    body: { status: 'at-risk', note: 'The supplier is late' },
  })),
  row('DELETE /projects/:id', [204, 204, 403, 403, 403, 401], async ({ make }) => ({
    params: { id: await make.project() },
  })),
  row('POST /projects/:id/team-members', [200, 200, 403, 403, 403, 401], async ({ actors, make }) => ({
    params: { id: await make.project() },
    body: { userId: actors.stranger.id },
  })),
  when(
    'adding oneself',
    row('POST /projects/:id/team-members', [200, 200, 403, 403, 403, 401], async ({ actors, make }, who) => ({
      params: { id: await make.project() },
      body: { userId: (actors[who] ?? actors.stranger).id },
    })),
  ),
  when(
    'replacing a manager who has left',
    row('PATCH /projects/:id', [200, 403, 403, 403, 403, 401], async ({ actors, make }, who) => ({
      params: { id: await make.abandonedProject(who) },
      body: { projectManager: actors.manager.id },
    })),
  ),
  row('DELETE /projects/:id/team-members', managersAndAdmin(204), async ({ actors, make }) => ({
    params: { id: await make.project() },
    body: { userId: actors.member.id },
  })),
  row('DELETE /projects/:id/team-members/:userId', managersAndAdmin(204), async ({ actors, make }) => ({
    params: { id: await make.project(), userId: actors.member.id },
  })),
];

/** All users can read tasks. Members of the project, project managers, and administrators can write them. */
const TASKS: readonly Row[] = [
  row('GET /tasks', signedInUsers(200)),
  row('GET /tasks/search', signedInUsers(200), () => ({ query: { q: 'a' } })),
  row('GET /tasks/stats', signedInUsers(200)),
  row('GET /tasks/workload', signedInUsers(200)),
  row('GET /tasks/my-tasks', signedInUsers(200)),
  row('GET /tasks/delegated', signedInUsers(200)),
  row('GET /tasks/project/:id', signedInUsers(200), sharedProject),
  row('GET /tasks/:id', signedInUsers(200), async ({ make }) => ({ params: { id: await make.task() } })),
  row('GET /tasks/:id/comments', signedInUsers(200), async ({ make }) => ({ params: { id: await make.task() } })),
  row('POST /tasks', projectMembersAndManagers(201), newTask),
  row('PATCH /tasks/:id', projectMembersAndManagers(200), async ({ make }) => ({
    params: { id: await make.task() },
    body: { title: unique('Task ') },
  })),
  row('PATCH /tasks/:id/progress', projectMembersAndManagers(200), async ({ make }) => ({
    params: { id: await make.task() },
    body: { progress: 30 },
  })),
  row('DELETE /tasks/:id', [204, 204, 403, 403, 403, 401], async ({ make }) => ({ params: { id: await make.task() } })),
  when(
    'created by the member',
    row('DELETE /tasks/:id', [204, 204, 403, 204, 403, 401], async ({ actors, make }) => ({
      params: { id: await make.task(actors.member) },
    })),
  ),
  row('POST /tasks/:id/comments', projectMembersAndManagers(201), async ({ make }) => ({
    params: { id: await make.task() },
    body: { comment: 'Shall we?' },
  })),
  // The member wrote the comment.
  row('DELETE /tasks/:id/comments/:commentId', [204, 403, 403, 204, 403, 401], async ({ make }) => ({
    params: await make.comment(),
  })),
];

export const PROJECT_ROWS: readonly Row[] = [...PROJECTS, ...TASKS];
