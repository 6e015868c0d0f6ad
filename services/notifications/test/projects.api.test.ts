import { memberDeparted, projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject, type People, someone, startNotifications } from './factories.ts';
import { mailsTo, mailTo } from './mailbox.ts';

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
  it('tells its manager and members by mail and notification, once, and not who made it', async () => {
    const manager = someone();
    const member = someone({ role: 'member' });
    const creator = someone({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
    service.know(manager, member, creator);
    const project = buildProject(people, { managerId: manager._id, memberIds: [member._id, creator._id] });
    await service.deliver(projectCreated, project, 2, creator._id);

    const mail = await mailTo(member.email);
    expect(mail.subject).toBe('You were added to Customer portal');
    expect(mail.text).toContain('Ada Admin added you to its team.');
    expect(mail.text).toContain(`https://atrium.example.org/progress/${project.projectId}`);
    expect((await mailTo(manager.email)).text).toContain('Ada Admin added you as its project manager.');
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
    expect(await mailsTo(creator.email)).toHaveLength(0);
    expect(await mailsTo(member.email)).toHaveLength(1);
  });
});

describe('a changed project', () => {
  it('tells only those who are new, once, even when an old change comes late', async () => {
    const [first, second] = [someone(), someone()];
    service.know(first, second);
    const project = buildProject(people, { memberIds: [first._id] });
    await service.deliver(projectCreated, project, 1, people.admin._id);
    const { createdBy: _, ...facts } = project;
    const change = { ...facts, progress: 0, changed: ['members'] };
    const both = [first._id, second._id];
    await service.deliver(projectUpdated, { ...change, memberIds: both, version: 3 }, 2, people.admin._id);
    await service.deliver(projectUpdated, { ...change, memberIds: [first._id], version: 2 }, 2, people.admin._id);
    await service.deliver(projectUpdated, { ...change, memberIds: both, version: 4 }, 2, people.admin._id);
    await mailTo(second.email);
    expect((await notificationsOf(second)).total).toBe(1);
    expect((await notificationsOf(first)).total).toBe(1);
    expect(await mailsTo(second.email)).toHaveLength(1);
  });

  it('tells somebody who was taken out and added again, by a mail for each time', async () => {
    const comes = someone();
    service.know(comes);
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
    // A mail that still waits would be kept back once they are out.
    await mailTo(comes.email);
    await change([], 3);
    await change([comes._id], 4);
    await mailTo(comes.email, 2);
    expect(await mailsTo(comes.email)).toHaveLength(2);
  });

  it('waits for somebody whom the directory does not know yet', async () => {
    const late = someone();
    const delivered = service.deliver(projectCreated, buildProject(people, { memberIds: [late._id] }));
    service.know(late);
    await delivered;
    expect((await mailTo(late.email)).subject).toBe('You were added to Customer portal');
  });

  it('leaves out who has left', async () => {
    const gone = someone({ deleted: true, status: 'inactive' });
    service.know(gone);
    await service.deliver(projectCreated, buildProject(people, { memberIds: [gone._id, people.member._id] }));
    await mailTo(people.member.email);
    expect(await mailsTo(gone.email)).toHaveLength(0);
  });

  it('is forgotten when the project goes', async () => {
    const project = buildProject(people);
    await service.deliver(projectCreated, project, 1, people.admin._id);
    await service.deliver(projectDeleted, { projectId: project.projectId, name: project.name }, 2, people.admin._id);
    const { data } = await notificationsOf(people.member);
    expect(data.filter(({ subject }) => subject.id === project.projectId)).toHaveLength(1);
  });
});

describe('the manager of a project', () => {
  const listed = async (person: People[keyof People]) =>
    ((await service.call('GET', '/notifications', { as: person })).body as { data: Record<string, unknown>[] }).data;

  it('is notified of each user who joins, once, and not of those they add themselves', async () => {
    const [manager, first, second] = [someone({ role: 'project_manager' }), someone(), someone()];
    service.know(manager, first, second);
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

  it('gets the list of tasks that a departed user left; administrators get it where the manager left', async () => {
    const [manager, leaving] = [someone({ role: 'project_manager' }), someone()];
    const admin = someone({ role: 'admin' });
    service.know(manager, leaving, admin);
    const departure = {
      projectId: buildProject(people).projectId,
      name: 'Customer portal',
      managerId: manager._id,
      userId: leaving._id,
      tasks: [{ taskId: buildProject(people).projectId, title: 'Plan the launch' }],
      taskCount: 12,
    };
    await service.deliver(memberDeparted, departure, 2, manager._id);
    expect(await listed(manager)).toMatchObject([
      {
        kind: 'projects.member.departed',
        person: { _id: leaving._id },
        tasks: { titles: ['Plan the launch'], count: 12 },
      },
    ]);
    expect(await listed(admin)).toEqual([]);
    service.know({ ...manager, status: 'inactive', version: 2 });
    await service.deliver(memberDeparted, { ...departure, userId: manager._id, tasks: [], taskCount: 0 }, 2);
    const [notice, ...others] = await listed(admin);
    expect(notice).toMatchObject({ kind: 'projects.manager.departed', person: { _id: manager._id } });
    expect([notice?.tasks, others]).toEqual([undefined, []]);
  });

  it('is notified when a team member is assigned', async () => {
    const [leaving, member] = [someone({ role: 'project_manager' }), someone({ role: 'project_manager' })];
    service.know(leaving, member);
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
