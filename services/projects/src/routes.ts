import { getProjectHistory } from '@atrium/proto-events/http/project-history';
import * as team from '@atrium/proto-events/http/project-team';
import * as projects from '@atrium/proto-events/http/projects';
import * as search from '@atrium/proto-events/http/search/projects';
import * as tasks from '@atrium/proto-events/http/tasks';
import { getWorkload } from '@atrium/proto-events/http/workload';
import { closeSignal } from '@atrium/service-kit/http/close-signal';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from './deps.ts';
import { readHistory } from './history/read-history.ts';
import { getProject, getProjectStats, listProjects } from './projects/read-projects.ts';
import { reportHealth } from './projects/report-health.ts';
import { createProject, deleteProject, updateProject } from './projects/write-projects.ts';
import { searchProjects } from './search/search-projects.ts';
import { searchTasks } from './search/search-tasks.ts';
import { getTask, getTaskStats, listComments, listProjectTasks, listTasks } from './tasks/read-tasks.ts';
import { readWorkload } from './tasks/read-workload.ts';
import { addComment, deleteComment } from './tasks/write-comments.ts';
import { createTask, deleteTask, updateTask } from './tasks/write-tasks.ts';
import { addTeamMember, removeTeamMember } from './team/change-team.ts';

export const projectsRoutes = (deps: Deps) => [
  handle(projects.createProject, ({ body }, caller, { req }) =>
    createProject(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(projects.listProjects, ({ query }, caller) => listProjects(deps, caller, query)),
  handle(projects.getProjectStats, (_request, caller) => getProjectStats(deps, caller)),
  handle(projects.listMyProjects, ({ query }, caller) =>
    listProjects(deps, caller, { ...query, userId: caller.userId }),
  ),
  handle(search.searchProjects, ({ query }, caller, { res }) =>
    searchProjects(deps, caller, { ...query, signal: closeSignal(res) }),
  ),
  handle(projects.getProject, ({ params }, caller) => getProject(deps, caller, params.id)),
  handle(getProjectHistory, ({ params, query }) => readHistory(deps, params.id, query)),
  handle(projects.updateProject, ({ params, body }, caller) => updateProject(deps, caller, { id: params.id, body })),
  handle(projects.reportProjectHealth, ({ params, body }, caller) =>
    reportHealth(deps, caller, { id: params.id, body }),
  ),
  handle(projects.deleteProject, ({ params }, caller) => deleteProject(deps, caller, params.id)),
  handle(team.addTeamMember, ({ params, body }, caller) =>
    addTeamMember(deps, caller, { id: params.id, userId: body.userId }),
  ),
  handle(team.removeTeamMember, ({ params, body }, caller) =>
    removeTeamMember(deps, caller, { id: params.id, userId: body.userId }),
  ),
  handle(team.removeTeamMemberByPath, ({ params }, caller) => removeTeamMember(deps, caller, params)),
  handle(tasks.createTask, ({ body }, caller, { req }) => createTask(deps, caller, { body, key: idempotencyKey(req) })),
  handle(tasks.listTasks, ({ query }, caller) => listTasks(deps, caller, query)),
  handle(tasks.getTaskStats, ({ query }, caller) => getTaskStats(deps, caller, query)),
  handle(getWorkload, ({ query }, caller) => readWorkload(deps, caller, query)),
  handle(tasks.listMyTasks, ({ query }, caller) => listTasks(deps, caller, { ...query, assignedTo: caller.userId })),
  handle(tasks.listDelegatedTasks, ({ query }, caller) =>
    listTasks(deps, caller, { ...query, delegatedBy: caller.userId }),
  ),
  handle(tasks.listProjectTasks, ({ params, query }, caller) =>
    listProjectTasks(deps, caller, { projectId: params.id, query }),
  ),
  handle(search.searchTasks, ({ query }, caller, { res }) =>
    searchTasks(deps, caller, { ...query, signal: closeSignal(res) }),
  ),
  handle(tasks.getTask, ({ params }, caller) => getTask(deps, caller, params.id)),
  handle(tasks.updateTask, ({ params, body }, caller) => updateTask(deps, caller, { id: params.id, body })),
  handle(tasks.updateTaskProgress, ({ params, body }, caller) => updateTask(deps, caller, { id: params.id, body })),
  handle(tasks.deleteTask, ({ params }, caller) => deleteTask(deps, caller, params.id)),
  handle(tasks.listComments, ({ params, query }, caller) => listComments(deps, caller, { id: params.id, query })),
  handle(tasks.addComment, ({ params, body }, caller, { req }) =>
    addComment(deps, caller, { taskId: params.id, comment: body.comment, key: idempotencyKey(req) }),
  ),
  handle(tasks.deleteComment, ({ params }, caller) => deleteComment(deps, caller, params)),
];
