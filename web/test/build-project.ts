import type { Project } from '@atrium/proto-events/http/projects';

/** Builds a project in progress; the caller has every permission. */
export function buildProject(overrides: Partial<Project> = {}): Project {
  const manager = { _id: 'a'.repeat(24), firstName: 'Lena', lastName: 'Brandt' };
  return {
    _id: 'b'.repeat(24),
    name: 'Portal',
    description: 'Relaunch',
    priority: 'high',
    status: 'in-progress',
    projectManager: manager,
    teamMembers: [],
    memberCount: overrides.teamMembers?.length ?? 0,
    progress: 0,
    budget: null,
    health: null,
    startDate: null,
    deadline: null,
    endDate: null,
    createdBy: manager._id,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    membership: 'manager',
    abilities: {
      update: true,
      updateProgress: true,
      delete: true,
      manageMembers: true,
      addMembers: true,
      changeManager: false,
      createTasks: true,
      reportHealth: true,
    },
    denialReasons: {},
    ...overrides,
  };
}
