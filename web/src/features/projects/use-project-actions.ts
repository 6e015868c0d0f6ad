import type { CallOf } from '@atrium/proto-events/endpoint';
import type { addTeamMember, removeTeamMemberByPath } from '@atrium/proto-events/http/project-team';
import type {
  createProject,
  deleteProject,
  Project,
  reportProjectHealth,
  updateProject,
} from '@atrium/proto-events/http/projects';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useWrite } from '#realtime/use-write.ts';

export function useProjectActions() {
  const write = useWrite<Project>('project');
  return {
    create: async (body: CallOf<typeof createProject>['body'], idempotencyKey: string) => {
      write.created(await call<typeof createProject>('POST /projects', { body }, idempotencyOptions(idempotencyKey)));
    },
    update: async (id: string, body: CallOf<typeof updateProject>['body']): Promise<Project> => {
      const project = await call<typeof updateProject>('PATCH /projects/:id', { params: { id }, body });
      write.saved(project);
      return project;
    },
    reportHealth: async (id: string, body: CallOf<typeof reportProjectHealth>['body']) => {
      write.saved(await call<typeof reportProjectHealth>('PUT /projects/:id/health', { params: { id }, body }));
    },
    addMember: async (id: string, userId: string) => {
      const input = { params: { id }, body: { userId } };
      write.saved(await call<typeof addTeamMember>('POST /projects/:id/team-members', input));
    },
    removeMember: async (id: string, userId: string) => {
      const input = { params: { id, userId } };
      const route = 'DELETE /projects/:id/team-members/:userId';
      await call<typeof removeTeamMemberByPath>(route, input);
      write.changed(id, (project) => withoutMember(project, userId));
    },
    remove: async (id: string) => {
      await call<typeof deleteProject>('DELETE /projects/:id', { params: { id } });
      write.deleted(({ _id }) => _id === id);
    },
  };
}

/** Increments the version as the server does, so that the cached copy is not edited at the previous version. */
function withoutMember(project: Project, userId: string): Project {
  const teamMembers = project.teamMembers.filter(({ _id }) => _id !== userId);
  if (teamMembers.length === project.teamMembers.length) return project;
  const { memberCount: count, version } = project;
  return { ...project, teamMembers, memberCount: count - 1, version: version + 1 };
}
