import type { Caller } from '@atrium/service-kit/authenticate';

/** Who may do what with projects (specification, section 6; decisions, section 4). Pure: no I/O, no state. */

type Managed = { manager_id: string; status: string };

export const DELETE_REFUSED = "You don't have permission to delete this project.";
export const PROGRESS_REFUSED = 'Only Admin and Project Manager can update progress';

export const mayCreate = (caller: Caller) => caller.role === 'admin';

export const mayUpdate = (caller: Caller) => caller.role !== 'member';

export const mayDelete = (caller: Caller, project: Managed) =>
  caller.role === 'admin' || (caller.role === 'project_manager' && project.manager_id === caller.userId);

/** What the screen offers: never more than the server would do. */
export function abilities(caller: Caller, project: Managed) {
  const open = project.status !== 'completed';
  return {
    update: mayUpdate(caller) && open,
    updateProgress: mayUpdate(caller) && open,
    delete: mayDelete(caller, project),
  };
}
