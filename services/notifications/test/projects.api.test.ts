import { memberDeparted, projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject, buildUniqueUser, type People, startNotifications } from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

type Listed = { data: { kind: string; subject: { id: string }; actor: { firstName: string } | null }[]; total: number };

async function notificationsOf(person: People[keyof People]): Promise<Listed> {
  return (await service.call('GET', '/notifications', { as: person })).body as Listed;
}

describe('a new project', () => {
  it('notifies its manager and members by email and in the app, once, except the creator', async () => {
    const manager = buildUniqueUser();
    const member = buildUniqueUser({ role: 'member' });
    const creator = buildUniqueUser({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
    service.addToDirectory(manager, member, creator);
    const project = buildProject(people, { managerId: manager._id, memberIds: [member._id, creator._id] });
    await service.deliver(projectCreated, project, 2, creator._id);

    const mail = await waitForEmail(member.email);
    expect(mail.subject).toBe('You were added to Customer portal');
    expect(mail.text).toContain('Ada Admin added you to the project team.');
    expect(mail.text).toContain(`https://atrium.example.org/progress/${project.projectId}`);
    expect((await waitForEmail(manager.email)).text).toContain('Ada Admin added you as the project manager.');
    expect(await notificationsOf(member)).toMatchObject({
      total: 1,
      data: [
        {
          kind: 'projects.member.added',
          subject: { resource: 'project', id: project.projectId, title: 'Customer portal' },
          actor: { firstName: 'Ada' },
          readAt: null,
        },
      ],
    });
    expect((await notificationsOf(creator)).total).toBe(0);
    expect(await emailsTo(creator.email)).toHaveLength(0);
    expect(await emailsTo(member.email)).toHaveLength(1);
  });
});

describe('a changed project', () => {
  it('notifies only new members, once, even if an old event arrives late', async () => {
    const [first, second] = [buildUniqueUser(), buildUniqueUser()];
    service.addToDirectory(first, second);
    const project = buildProject(people, { memberIds: [first._id] });
    await service.deliver(projectCreated, project, 1, people.admin._id);
    const { createdBy: _, ...facts } = project;
    const change = { ...facts, progress: 0, changed: ['members'] };
    const both = [first._id, second._id];
    await service.deliver(projectUpdated, { ...change, memberIds: both, version: 3 }, 2, people.admin._id);
    await service.deliver(projectUpdated, { ...change, memberIds: [first._id], version: 2 }, 2, people.admin._id);
    await service.deliver(projectUpdated, { ...change, memberIds: both, version: 4 }, 2, people.admin._id);
    await waitForEmail(second.email);
    expect((await notificationsOf(second)).total).toBe(1);
    expect((await notificationsOf(first)).total).toBe(1);
    expect(await emailsTo(second.email)).toHaveLength(1);
  });

  it('notifies a member who was removed and added again with an email each time', async () => {
    const comes = buildUniqueUser();
    service.addToDirectory(comes);
    const project = buildProject(people, { memberIds: [] });
    await service.deliver(projectCreated, project, 1, people.admin._id);
    const { createdBy: _, ...facts } = project;
    const change = (memberIds: string[], version: number) =>
      service.deliver(
        projectUpdated,
        { ...facts, progress: 0, changed: ['members'], memberIds, version },
        2,
        people.admin._id,
      );
    await change([comes._id], 2);
    // A queued email would be suppressed once they are removed.
    await waitForEmail(comes.email);
    await change([], 3);
    await change([comes._id], 4);
    await waitForEmail(comes.email, 2);
    expect(await emailsTo(comes.email)).toHaveLength(2);
  });

  it('waits for a member missing in the directory', async () => {
    const late = buildUniqueUser();
    const delivered = service.deliver(projectCreated, buildProject(people, { memberIds: [late._id] }));
    service.addToDirectory(late);
    await delivered;
    expect((await waitForEmail(late.email)).subject).toBe('You were added to Customer portal');
  });

  it('skips deactivated members', async () => {
    const gone = buildUniqueUser({ deleted: true, status: 'inactive' });
    service.addToDirectory(gone);
    await service.deliver(projectCreated, buildProject(people, { memberIds: [gone._id, people.member._id] }));
    await waitForEmail(people.member.email);
    expect(await emailsTo(gone.email)).toHaveLength(0);
  });

  it('deletes its stored members when it is deleted', async () => {
    const project = buildProject(people);
    await service.deliver(projectCreated, project, 1, people.admin._id);
    await service.deliver(projectDeleted, { projectId: project.projectId, name: project.name }, 2, people.admin._id);
    const { data } = await notificationsOf(people.member);
    expect(data.filter(({ subject }) => subject.id === project.projectId)).toHaveLength(1);
  });
});

describe('a project manager', () => {
  const listed = async (person: People[keyof People]) =>
    ((await service.call('GET', '/notifications', { as: person })).body as { data: Record<string, unknown>[] }).data;

  it('is notified once of each new member, except of those they add themselves', async () => {
    const [manager, first, second] = [
      buildUniqueUser({ role: 'project_manager' }),
      buildUniqueUser(),
      buildUniqueUser(),
    ];
    service.addToDirectory(manager, first, second);
    const project = buildProject(people, { managerId: manager._id, memberIds: [] });
    await service.deliver(projectCreated, project, 1, people.admin._id);
    const { createdBy: _, ...facts } = project;
    const change = { ...facts, progress: 0, changed: ['teamMembers'] };
    const memberIds = [first._id];
    await service.deliver(projectUpdated, { ...change, version: 2, memberIds }, 2, first._id);
    await service.deliver(
      projectUpdated,
      { ...change, version: 3, memberIds: [...memberIds, second._id] },
      1,
      manager._id,
    );
    const joins = (await listed(manager)).filter(({ kind }) => kind === 'projects.member.joined');
    expect(joins).toMatchObject([
      { person: { _id: first._id }, actor: { _id: first._id }, subject: { id: project.projectId } },
    ]);
  });

  it('receives the open tasks of a departed member; administrators receive those of a departed manager', async () => {
    const [manager, leaving] = [buildUniqueUser({ role: 'project_manager' }), buildUniqueUser()];
    const admin = buildUniqueUser({ role: 'admin' });
    service.addToDirectory(manager, leaving, admin);
    const departed = {
      projectId: buildProject(people).projectId,
      name: 'Customer portal',
      managerId: manager._id,
      userId: leaving._id,
      tasks: [{ taskId: buildProject(people).projectId, title: 'Plan the launch' }],
      taskCount: 12,
    };
    await service.deliver(memberDeparted, departed, 2, manager._id);
    expect(await listed(manager)).toMatchObject([
      {
        kind: 'projects.member.departed',
        person: { _id: leaving._id },
        tasks: { titles: ['Plan the launch'], count: 12 },
      },
    ]);
    expect(await listed(admin)).toEqual([]);
    service.addToDirectory({ ...manager, status: 'inactive', version: 2 });
    await service.deliver(memberDeparted, { ...departed, userId: manager._id, tasks: [], taskCount: 0 }, 2);
    const [notice, ...others] = await listed(admin);
    expect(notice).toMatchObject({ kind: 'projects.manager.departed', person: { _id: manager._id } });
    expect([notice?.tasks, others]).toEqual([undefined, []]);
  });

  it('is notified when a team member becomes manager', async () => {
    const [leaving, member] = [
      buildUniqueUser({ role: 'project_manager' }),
      buildUniqueUser({ role: 'project_manager' }),
    ];
    service.addToDirectory(leaving, member);
    const project = buildProject(people, { managerId: leaving._id, memberIds: [member._id] });
    await service.deliver(projectCreated, project, 1, people.admin._id);
    const { createdBy: _, ...facts } = project;
    const change = { ...facts, progress: 0, changed: ['projectManager', 'teamMembers'] };
    const assigned = { ...change, version: 2, managerId: member._id, memberIds: [] };
    await service.deliver(projectUpdated, assigned, 2, people.admin._id);
    const kinds = (await listed(member)).map(({ kind }) => kind);
    expect(kinds).toEqual(['projects.manager.assigned', 'projects.member.added']);
  });
});
