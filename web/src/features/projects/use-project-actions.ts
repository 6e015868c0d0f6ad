import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  addTeamMember,
  createProject,
  deleteProject,
  Project,
  removeTeamMemberByPath,
  updateProject,
} from '@atrium/proto-events/http/projects';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useRefetchPaths } from '#realtime/use-refetch.ts';

export function useProjectActions() {
  const refetchPaths = useRefetchPaths();
  const cacheUpdate = useCacheUpdate<Project>('project');
  return {
    create: async (body: CallOf<typeof createProject>['body'], idempotencyKey: string) => {
      cacheUpdate.applySaved(
        await call<typeof createProject>('POST /projects', { body }, idempotencyOptions(idempotencyKey)),
      );
      refetchPaths('/projects');
    },
    update: async (id: string, body: CallOf<typeof updateProject>['body']) => {
      cacheUpdate.applySaved(await call<typeof updateProject>('PATCH /projects/:id', { params: { id }, body }));
      refetchPaths('/projects');
    },
    addMember: async (id: string, userId: string) => {
      const input = { params: { id }, body: { userId } };
      try {
        cacheUpdate.applySaved(await call<typeof addTeamMember>('POST /projects/:id/team-members', input));
      } finally {
        refetchPaths('/projects');
      }
    },
    removeMember: async (id: string, userId: string) => {
      const input = { params: { id, userId } };
      const route = 'DELETE /projects/:id/team-members/:userId';
      try {
        await call<typeof removeTeamMemberByPath>(route, input);
        cacheUpdate.applyChange(id, (project) => withoutMember(project, userId));
      } finally {
        refetchPaths('/projects', '/tasks');
      }
    },
    remove: async (id: string) => {
      await call<typeof deleteProject>('DELETE /projects/:id', { params: { id } });
      cacheUpdate.applyDeletion(({ _id }) => _id === id);
      refetchPaths('/projects');
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
