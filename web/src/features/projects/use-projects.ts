import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  addTeamMember,
  createProject,
  deleteProject,
  getProject,
  getProjectStats,
  listProjects,
  Project,
  removeTeamMemberByPath,
  updateProject,
} from '@atrium/proto-events/http/projects';
import { call } from '../../lib/api/api.ts';
import { keyOf } from '../../lib/cache/keys.ts';
import { useFirstPages } from '../../lib/cache/use-first-pages.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { underKey } from '../../lib/use-repeatable.ts';
import { useRefresh } from '../../realtime/use-refresh.ts';
import { useShow } from '../../realtime/use-show.ts';
import { filterQuery, type TrackerPlace } from './list/project-filters.ts';

const RECENT = 6;

export function useRecentProjects() {
  return useRead<typeof listProjects>('GET /projects', { query: { limit: RECENT } });
}

const HUNDRED = 100;

/** The projects themselves, asked for only where their counts could not be had. */
export function useProjectsWithout(stats: { data?: unknown; error?: unknown }) {
  const isAsked = stats.data === undefined && stats.error !== undefined;
  return useRead<typeof listProjects>('GET /projects', isAsked ? { query: { limit: HUNDRED } } : null);
}

/** By the filters in the address: the hundred that changed last, and as many hundreds more as were asked for. */
export function useProjectList({ shown, ...filters }: TrackerPlace) {
  const keyOfPage = (page: number) =>
    keyOf<typeof listProjects>('GET /projects', { query: { ...filterQuery(filters), limit: HUNDRED, page } });
  return useFirstPages<Project>(keyOfPage, Math.max(1, Number.parseInt(shown, 10) || 1));
}

export function useProjectStats() {
  return useRead<typeof getProjectStats>('GET /projects/stats', {});
}

/** The project as it is now; `known` is what a list already shows of it. */
export function useProject(id: string, known?: Project) {
  const options = { keepPreviousData: false, ...(known && { fallbackData: known }) };
  return useRead<typeof getProject>('GET /projects/:id', { params: { id } }, options);
}

/** The writes; each shows what it has saved, and makes every list of projects ask again. */
export function useProjectActions() {
  const refresh = useRefresh();
  const show = useShow<Project>('project');
  return {
    create: async (body: CallOf<typeof createProject>['body'], idempotencyKey: string) => {
      show.saved(await call<typeof createProject>('POST /projects', { body }, underKey(idempotencyKey)));
      refresh('/projects');
    },
    update: async (id: string, body: CallOf<typeof updateProject>['body']) => {
      show.saved(await call<typeof updateProject>('PATCH /projects/:id', { params: { id }, body }));
      refresh('/projects');
    },
    addMember: async (id: string, userId: string) => {
      const input = { params: { id }, body: { userId } };
      try {
        show.saved(await call<typeof addTeamMember>('POST /projects/:id/team-members', input));
      } finally {
        refresh('/projects');
      }
    },
    removeMember: async (id: string, userId: string) => {
      const input = { params: { id, userId } };
      const route = 'DELETE /projects/:id/team-members/:userId';
      try {
        await call<typeof removeTeamMemberByPath>(route, input);
        show.changed(id, (project) => withoutMember(project, userId));
      } finally {
        refresh('/projects', '/tasks');
      }
    },
    remove: async (id: string) => {
      await call<typeof deleteProject>('DELETE /projects/:id', { params: { id } });
      show.gone(({ _id }) => _id === id);
      refresh('/projects');
    },
  };
}

/** The server counts the version up: who edits it next has changed what is there now. */
function withoutMember(project: Project, userId: string): Project {
  const teamMembers = project.teamMembers.filter(({ _id }) => _id !== userId);
  if (teamMembers.length === project.teamMembers.length) return project;
  return { ...project, teamMembers, version: project.version + 1 };
}
