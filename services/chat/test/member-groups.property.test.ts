import type { DirectoryUser } from '@atrium/proto-events/people';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createGroup } from './factories.ts';
import { changeUser, createDepartment, expectParticipants } from './member-groups.ts';
import { people, service } from './running-chat.ts';

const USERS = 3;
const GROUPS = ['design', 'sales', 'project'] as const;
type Group = (typeof GROUPS)[number];

const user = fc.nat(USERS - 1);
const command = fc.oneof(
  fc.record({ type: fc.constant('move' as const), user, to: fc.constantFrom('design', 'sales', null) }),
  fc.record({ type: fc.constant('team' as const), members: fc.uniqueArray(user) }),
  fc.record({ type: fc.constantFrom('deactivate', 'activate', 'leave', 'add', 'remove'), user }),
  fc.record({ type: fc.constantFrom('addGroup', 'removeGroup'), group: fc.constantFrom(...GROUPS) }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** A channel, and who is in it as the rules say. */
type Model = {
  channel: string;
  ids: Record<Group, string>;
  users: DirectoryUser[];
  project: DirectoryProject;
  rules: Set<string>;
  added: Set<string>;
  left: Set<string>;
};

async function createModel(): Promise<Model> {
  const [design, sales] = [createDepartment(service, 'Design', [{}, {}]), createDepartment(service, 'Sales', [{}])];
  const project = {
    ...{ _id: newId(), name: 'Apollo', managerId: people.manager._id, memberIds: [], deleted: false, version: 1 },
  };
  service.addProjects(project);
  return {
    channel: (await createGroup(service, [people.member]))._id,
    ids: { design: design._id, sales: sales._id, project: project._id },
    users: [...design.users, ...sales.users],
    project,
    rules: new Set(),
    added: new Set(),
    left: new Set(),
  };
}

const everyoneIn = ({ users }: Model) => [...users, people.manager];

function groupsOf({ project }: Model, { _id, departmentId, status }: DirectoryUser): (string | null)[] {
  if (status !== 'active') return [];
  return [departmentId, ...(project.memberIds.includes(_id) || _id === project.managerId ? [project._id] : [])];
}

const isMember = (model: Model, user: DirectoryUser) =>
  groupsOf(model, user).some((id) => id !== null && model.rules.has(id));

const isIn = (model: Model, user: DirectoryUser) =>
  model.added.has(user._id) || (isMember(model, user) && !model.left.has(user._id));

const userAt = ({ users }: Model, index: number) => users[index] ?? people.stranger;

async function call({ channel }: Model, as: DirectoryUser, method: string, path: string, body?: unknown) {
  return (await service.call(method, `/chat/conversations/${channel}/${path}`, { as, body })).status;
}

/** Returns the status of the request, if there was one. */
async function run(model: Model, step: Command): Promise<number | undefined> {
  if (step.type === 'team') {
    const memberIds = step.members.map((index) => userAt(model, index)._id);
    model.project = { ...model.project, memberIds, version: model.project.version + 1 };
    return void service.addProjects(model.project);
  }
  if ('group' in step) return changeGroup(model, step.type, step.group);
  const user = userAt(model, step.user);
  if (step.type === 'move' || step.type === 'activate' || step.type === 'deactivate') {
    const status = step.type === 'activate' ? 'active' : 'inactive';
    const departmentId = 'to' in step && step.to !== null ? model.ids[step.to as Group] : null;
    model.users[step.user] = changeUser(service, user, 'to' in step ? { departmentId } : { status });
    return undefined;
  }
  return user.status === 'active' ? changeParticipant(model, step.type, user) : undefined;
}

async function changeGroup(model: Model, type: string, group: Group): Promise<number | undefined> {
  const id = model.ids[group];
  const kind = group === 'project' ? 'project' : 'department';
  if (type === 'removeGroup')
    return model.rules.delete(id) ? call(model, people.member, 'DELETE', `groups/${kind}/${id}`) : undefined;
  const returning = model.rules.has(id) ? [] : everyoneIn(model).filter((user) => groupsOf(model, user).includes(id));
  for (const { _id } of returning) model.left.delete(_id);
  model.rules.add(id);
  return call(model, people.member, 'POST', 'groups', { type: kind, id });
}

async function changeParticipant(model: Model, type: string, user: DirectoryUser): Promise<number | undefined> {
  if (type === 'add') {
    model.added.add(user._id);
    model.left.delete(user._id);
    return call(model, people.member, 'POST', 'participants', { userId: user._id });
  }
  if (!isIn(model, user)) return undefined;
  model.added.delete(user._id);
  if (isMember(model, user)) model.left.add(user._id);
  return type === 'leave'
    ? call(model, user, 'POST', 'leave')
    : call(model, people.member, 'DELETE', `participants/${user._id}`);
}

/** Waits until the copy of the directory is current and the channel has exactly the users that the model has. */
async function settle(model: Model): Promise<void> {
  const { project } = model;
  const copied = [...model.users, { _id: project._id, version: project.version }];
  const query = `select user_id as id, version from directory_users
    union all select project_id, version from directory_projects`;
  await waitFor(
    async () => {
      const versions = new Map((await service.query(query)).map(({ id, version }) => [id, version]));
      return copied.every(({ _id, version }) => versions.get(_id) === version);
    },
    { description: 'the copy of the directory' },
  );
  const others = everyoneIn(model).filter((user) => isIn(model, user));
  await expectParticipants(service, model.channel, [people.member, ...others]);
}

it('exactly the members of its groups are in a channel, whatever happens in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 25 }), async (commands) => {
      const model = await createModel();
      for (const step of commands) {
        expect([undefined, 200, 204]).toContain(await run(model, step));
        await settle(model);
      }
    }),
    { numRuns: 8 },
  );
}, 240_000);
