import { INITIAL_STATUS, type LoadWorkspace, type VirtualUser, type Write } from '../virtual-users.ts';
import { monotonicMs } from './monotonic-clock.ts';
import { COUNTED_STATUSES, type Counts, type WrittenChange } from './written-change.ts';

const RESOURCES: Readonly<Record<string, string>> = {
  tasks: 'task',
  projects: 'project',
  users: 'user',
  meetings: 'meeting',
};
const ACTIONS = { POST: 'created', PATCH: 'updated', DELETE: 'deleted' } as const;

/** Returns how clients recognize a write. */
function toWritten(path: string, { method }: Write, response: Record<string, unknown>) {
  const [, collection = '', pathId] = path.split('/');
  if (collection === 'chat') {
    const { conversation, seq } = response;
    return { resource: `message:${conversation}`, version: Number(seq), key: `message:${conversation}:${seq}` };
  }
  const resource = `${RESOURCES[collection]}:${pathId ?? response._id}`;
  const action = ACTIONS[method];
  const version = Number(response.version ?? 0);
  return {
    resource,
    version,
    key: `${resource}:${action === 'updated' ? version : action}`,
  };
}

/** Returns a function that computes by how much a write changes the numbers of projects. */
function createCounting() {
  const statuses = new Map<string, string>();
  return (path: string, write: Write, response: Record<string, unknown>): Counts | undefined => {
    const [, collection, pathId] = path.split('/');
    const status = write.method === 'DELETE' ? undefined : write.body.status;
    if (collection !== 'projects' || (write.method === 'PATCH' && status === undefined)) return undefined;
    const id = String(pathId ?? response._id);
    const previous = write.method === 'POST' ? undefined : (statuses.get(id) ?? INITIAL_STATUS);
    if (status !== undefined) statuses.set(id, String(status));
    return { ...countOf(previous, -1), ...countOf(status, 1) };
  };
}

const countOf = (status: unknown, change: number): Counts => {
  const field = Object.entries(COUNTED_STATUSES).find(([name]) => name === status)?.[1];
  return field === undefined ? {} : { [field]: change };
};

/** The time that the response shows is that of the start of its transaction; that of a deletion shows none. */
function getTransactionTime({ updatedAt, createdAt }: Record<string, unknown>): number | undefined {
  const time = updatedAt ?? createdAt;
  return typeof time === 'string' ? Date.parse(time) - Date.now() + monotonicMs() : undefined;
}

/** Records the writes of a workspace. Administrators make those of tasks, projects, and users in turn. */
export function recordWrites(workspace: LoadWorkspace): { workspace: LoadWorkspace; writes: WrittenChange[] } {
  const admins = [workspace.admin, ...workspace.members.filter(({ role }) => role === 'admin')];
  const writes: WrittenChange[] = [];
  const countsOf = createCounting();
  let turn = 0;
  const writerOf = (path: string, user: VirtualUser) =>
    user === workspace.admin && !path.startsWith('/meetings') ? (admins[turn++ % admins.length] ?? user) : user;
  const write: LoadWorkspace['write'] = async (path, user, request) => {
    const sentAt = monotonicMs();
    const response = await workspace.write(path, writerOf(path, user), request);
    const respondedAt = monotonicMs();
    const counts = countsOf(path, request, response);
    writes.push({
      ...toWritten(path, request, response),
      ...(counts && { counts }),
      at: getTransactionTime(response) ?? sentAt,
      respondedAt,
      durationMs: respondedAt - sentAt,
    });
    return response;
  };
  return { workspace: { ...workspace, write }, writes };
}
