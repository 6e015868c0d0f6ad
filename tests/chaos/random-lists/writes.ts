import type { deleteDocument, updateDocument } from '@atrium/proto-events/http/documents';
import type { updateProfile } from '@atrium/proto-events/http/users';
import { call } from '@atrium/web/lib/api/api';
import type { QueryCache } from '@atrium/web/lib/query/query-cache';
import { setProfile } from '@atrium/web/lib/session/session';
import type { Write } from './actions.ts';
import type { UserActions } from './show-screens.ts';
import { createShownItems, type ShownItems } from './shown-items.ts';
import { MEETING, PRIORITIES, TASK_STATUSES } from './values.ts';

type Context = UserActions & {
  shown: ShownItems;
  /** Chooses an entry; undefined of none. */
  pick: <T>(values: readonly T[]) => T | undefined;
  name: string;
};

/** Returns undefined if the user is not allowed to, or no item is shown. */
type Writer = (context: Context) => Promise<unknown> | undefined;

const TASK_WRITERS = {
  'create a task': ({ shown, pick, name, tasks }) => {
    const project = pick(shown.projects().filter(({ abilities }) => abilities.createTasks));
    const fields = { title: name, status: pick(TASK_STATUSES), priority: pick(PRIORITIES) };
    return project && tasks.create({ ...fields, project: project._id }, crypto.randomUUID());
  },
  'rename a task': ({ shown, pick, name, tasks }) => {
    const task = pick(shown.tasks().filter(({ abilities }) => abilities.update));
    return task && tasks.update(task._id, { title: name, version: task.version });
  },
  'move a task': ({ shown, pick, tasks }) => {
    const task = pick(shown.tasks().filter(({ abilities }) => abilities.updateStatus));
    return task && tasks.update(task._id, { status: pick(TASK_STATUSES) });
  },
  'prioritize a task': ({ shown, pick, tasks }) => {
    const task = pick(shown.tasks().filter(({ abilities }) => abilities.update));
    return task && tasks.update(task._id, { priority: pick(PRIORITIES) });
  },
  'assign a task': ({ shown, pick, tasks }) => {
    const task = pick(shown.tasks().filter(({ abilities }) => abilities.update));
    const project = shown.projects().find(({ _id }) => _id === task?.project);
    return task && tasks.update(task._id, { assignedTo: pick(project?.teamMembers ?? [])?._id ?? null });
  },
  'comment on a task': ({ shown, pick, name, tasks }) => {
    const task = pick(shown.tasks().filter(({ abilities }) => abilities.comment));
    return task && tasks.comment(task._id, name, crypto.randomUUID());
  },
  'delete a task': ({ shown, pick, tasks }) => {
    const task = pick(shown.tasks().filter(({ abilities }) => abilities.delete));
    return task && tasks.remove(task._id);
  },
} satisfies Partial<Record<Write, Writer>>;

const PROJECT_WRITERS = {
  'create a project': ({ user, shown, pick, name, projects }) => {
    const teamMembers = shown.users().flatMap(({ _id }) => (pick([true, false]) && _id !== user._id ? [_id] : []));
    const priority = pick(PRIORITIES) ?? 'low';
    const body = {
      name,
      description: name,
      projectManager: user._id,
      teamMembers,
      priority,
      status: 'in-progress',
    } as const;
    return user.role === 'member' ? undefined : projects.create(body, crypto.randomUUID());
  },
  'rename a project': ({ shown, pick, name, projects }) => {
    const project = pick(shown.projects().filter(({ abilities }) => abilities.update));
    return project && projects.update(project._id, { name, version: project.version });
  },
  'change the status of a project': ({ shown, pick, projects }) => {
    const project = pick(shown.projects().filter(({ abilities }) => abilities.update));
    const statuses = ['on-hold', 'in-progress', 'completed'] as const;
    const isPermanent = project && shown.isPermanent(project);
    return project && projects.update(project._id, { status: pick(isPermanent ? statuses.slice(0, 2) : statuses) });
  },
  'delete a project': ({ shown, pick, projects }) => {
    const isDeletable = (project: ShownProject) => project.abilities.delete && !shown.isPermanent(project);
    const project = pick(shown.projects().filter(isDeletable));
    return project && projects.remove(project._id);
  },
  'add a team member': ({ shown, pick, projects }) => {
    const project = pick(shown.projects().filter(({ abilities }) => abilities.addMembers));
    const present = [...(project?.teamMembers ?? []), project?.projectManager].map((member) => member?._id);
    const added = pick(shown.users().filter(({ _id }) => !present.includes(_id)));
    return project && added && projects.addMember(project._id, added._id);
  },
  'remove a team member': ({ shown, pick, projects }) => {
    const project = pick(shown.projects().filter(({ abilities }) => abilities.manageMembers));
    const removed = pick(project?.teamMembers ?? []);
    return project && removed && projects.removeMember(project._id, removed._id);
  },
} satisfies Partial<Record<Write, Writer>>;

type ShownProject = ReturnType<ShownItems['projects']>[number];

const ofAdmin =
  (write: Writer): Writer =>
  (context) =>
    context.user.role === 'admin' ? write(context) : undefined;

const USER_WRITERS = {
  'rename a user': ofAdmin(({ shown, pick, name, users }) => {
    const renamed = pick(shown.users());
    return renamed && users.update(renamed._id, { firstName: name });
  }),
  // As the form of the profile does.
  'change your name': ({ name, userWrites }) =>
    call<typeof updateProfile>('PATCH /users/profile', { body: { lastName: name } }).then((saved) => {
      setProfile(saved);
      userWrites.saved(saved);
      userWrites.refetch('/users', '/departments');
    }),
  'change a role': ofAdmin(({ shown, pick, users }) => {
    const changed = pick(shown.users().filter((user) => !shown.isPermanent(user)));
    return changed && users.update(changed._id, { role: pick(['member', 'project_manager'] as const) });
  }),
  'move a user to a department': ofAdmin(({ shown, pick, users }) => {
    const moved = pick(shown.users());
    const department = pick([...shown.departments().filter(({ isActive }) => isActive), undefined]);
    return moved && users.update(moved._id, { department: department?._id ?? null });
  }),
  'create a department': ofAdmin(({ name, departments }) => departments.create({ name }, crypto.randomUUID())),
  'rename a department': ofAdmin(({ shown, pick, name, departments }) => {
    const department = pick(shown.departments());
    return department && departments.update(department._id, { name });
  }),
  'delete a department': ofAdmin(({ shown, pick, departments }) => {
    const department = pick(shown.departments().filter(({ employeeCount }) => employeeCount === 0));
    return department && departments.remove(department._id);
  }),
} satisfies Partial<Record<Write, Writer>>;

const MEETING_WRITERS = {
  'schedule a meeting': ({ shown, pick, name, meetings }) => {
    const invited = pick(shown.users());
    const startTime = new Date(Date.now() + (pick([2, 5, 30]) ?? 1) * 3_600_000).toISOString();
    const endTime = new Date(Date.parse(startTime) + 1_800_000).toISOString();
    const body = { ...MEETING, title: name, startTime, endTime, participants: invited ? [invited._id] : [] };
    return meetings.create(body, crypto.randomUUID());
  },
  'rename a meeting': ({ shown, pick, name, meetings }) => {
    const meeting = pick(shown.meetings().filter(({ abilities }) => abilities.update));
    return meeting && meetings.update(meeting._id, { title: name });
  },
  'respond to a meeting': ({ shown, pick, meetings }) => {
    const meeting = pick(shown.meetings().filter(({ abilities }) => abilities.respond));
    return (
      meeting && meetings.respond(meeting, pick(['accepted', 'declined', 'tentative'] as const) ?? 'accepted', 'this')
    );
  },
  'cancel a meeting': ({ shown, pick, meetings }) => {
    const meeting = pick(shown.meetings().filter(({ abilities }) => abilities.delete));
    return meeting && meetings.remove(meeting, 'this');
  },
} satisfies Partial<Record<Write, Writer>>;

/** As `useDocumentActions`, which also shows toasts. */
const DOCUMENT_WRITERS = {
  'rename a document': ({ shown, pick, name, documents }) => {
    const document = pick(shown.documents().filter(({ abilities }) => abilities.update));
    const params = { id: document?._id ?? '' };
    if (!document) return undefined;
    return call<typeof updateDocument>('PATCH /documents/:id', { params, body: { name } }).then((saved) => {
      documents.saved(saved);
      documents.refetch('/documents');
    });
  },
  'delete a document': ({ shown, pick, documents }) => {
    const document = pick(shown.documents().filter(({ abilities }) => abilities.delete));
    if (!document) return undefined;
    return call<typeof deleteDocument>('DELETE /documents/:id', { params: { id: document._id } }).then(() => {
      documents.deleted(({ _id }) => _id === document._id);
      documents.refetch('/documents');
    });
  },
} satisfies Partial<Record<Write, Writer>>;

const WRITERS: Readonly<Record<Write, Writer>> = {
  ...TASK_WRITERS,
  ...PROJECT_WRITERS,
  ...USER_WRITERS,
  ...MEETING_WRITERS,
  ...DOCUMENT_WRITERS,
};

type WritesParams = { cache: QueryCache; actions: () => UserActions; permanent: readonly string[] };

export function createWrites({ cache, actions, permanent }: WritesParams) {
  const shown = createShownItems(cache, permanent);
  return {
    /** Returns whether the user could do it. Rejects if the server did not accept it. */
    async perform(write: Write, { random, name }: { random: readonly number[]; name: string }): Promise<boolean> {
      let next = 0;
      const pick = <T>(values: readonly T[]): T | undefined =>
        values[Math.floor((random[next++ % random.length] ?? 0) * values.length)];
      const writing = WRITERS[write]({ ...actions(), shown, pick, name });
      await writing;
      return writing !== undefined;
    },
  };
}
