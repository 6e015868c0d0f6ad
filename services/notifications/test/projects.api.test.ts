import {
  memberDeactivated,
  projectCreated,
  projectDeleted,
  projectUpdated,
} from '@atrium/proto-events/events/projects';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject, buildUniqueUser, startNotifications, type TestUsers } from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startNotifications());
});
afterAll(() => service.close());

type Listed = { data: { kind: string; subject: { id: string }; actor: { firstName: string } | null }[]; total: number };

async function listNotifications(user: TestUsers[keyof TestUsers]): Promise<Listed> {
  return (await service.call('GET', '/notifications', { as: user })).body as Listed;
}

describe('a new project', () => {
  it('notifies its manager and members by email and in the app, once, except the creator', async () => {
    const manager = buildUniqueUser();
    const member = buildUniqueUser({ role: 'member' });
    const creator = buildUniqueUser({ role: 'admin', firstName: 'Ada', lastName: 'Admin' });
    service.addToDirectory(manager, member, creator);
    const project = buildProject(users, { managerId: manager._id, memberIds: [member._id, creator._id] });
    await service.deliver(projectCreated, project, 2, creator._id);

    const mail = await waitForEmail(member.email);
    expect(mail.subject).toBe('You were added to Customer portal');
    expect(mail.text).toContain('Ada Admin added you to the project team.');
    expect(mail.text).toContain(`https://atrium.example.org/progress/${project.projectId}`);
    expect((await waitForEmail(manager.email)).text).toContain('Ada Admin added you as the project manager.');
    expect(await listNotifications(member)).toMatchObject({
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
    expect((await listNotifications(creator)).total).toBe(0);
    expect(await emailsTo(creator.email)).toHaveLength(0);
    expect(await emailsTo(member.email)).toHaveLength(1);
  });
});

describe('a changed project', () => {
  it('notifies only new members, once, even if an older event arrives late', async () => {
    const firstMember = buildUniqueUser();
    const secondMember = buildUniqueUser();
    service.addToDirectory(firstMember, secondMember);
    const project = buildProject(users, { memberIds: [firstMember._id] });
    await service.deliver(projectCreated, project, 1, users.admin._id);
    const { createdBy: _, ...fields } = project;
    const change = { ...fields, progress: 0, changed: ['members'] };
    const bothIds = [firstMember._id, secondMember._id];
    await service.deliver(projectUpdated, { ...change, memberIds: bothIds, version: 3 }, 2, users.admin._id);
    await service.deliver(projectUpdated, { ...change, memberIds: [firstMember._id], version: 2 }, 2, users.admin._id);
    await service.deliver(projectUpdated, { ...change, memberIds: bothIds, version: 4 }, 2, users.admin._id);
    await waitForEmail(secondMember.email);
    expect((await listNotifications(secondMember)).total).toBe(1);
    expect((await listNotifications(firstMember)).total).toBe(1);
    expect(await emailsTo(secondMember.email)).toHaveLength(1);
  });

  it('withdraws the notification of a member who was removed before they read it', async () => {
    const [stayingMember, formerMember] = [buildUniqueUser(), buildUniqueUser()];
    service.addToDirectory(stayingMember, formerMember);
    const memberIds = [stayingMember._id, formerMember._id];
    const { createdBy, ...fields } = buildProject(users, { memberIds });
    await service.deliver(projectCreated, { ...fields, createdBy }, 1, users.admin._id);
    const change = { ...fields, progress: 0, changed: ['members'], memberIds: [stayingMember._id], version: 2 };
    await service.deliver(projectUpdated, change, 2, users.admin._id);
    expect((await listNotifications(stayingMember)).total).toBe(1);
    expect((await listNotifications(formerMember)).total).toBe(0);
  });

  it('notifies a member who was removed and added again with an email each time', async () => {
    const newMember = buildUniqueUser();
    service.addToDirectory(newMember);
    const project = buildProject(users, { memberIds: [] });
    await service.deliver(projectCreated, project, 1, users.admin._id);
    const { createdBy: _, ...fields } = project;
    const change = (memberIds: string[], version: number) =>
      service.deliver(
        projectUpdated,
        { ...fields, progress: 0, changed: ['members'], memberIds, version },
        2,
        users.admin._id,
      );
    await change([newMember._id], 2);
    // A queued email would be suppressed once they are removed.
    await waitForEmail(newMember.email);
    await change([], 3);
    await change([newMember._id], 4);
    await waitForEmail(newMember.email, 2);
    expect(await emailsTo(newMember.email)).toHaveLength(2);
  });

  it('waits for a member who is missing from the directory', async () => {
    const lateMember = buildUniqueUser();
    const delivery = service.deliver(projectCreated, buildProject(users, { memberIds: [lateMember._id] }));
    service.addToDirectory(lateMember);
    await delivery;
    expect((await waitForEmail(lateMember.email)).subject).toBe('You were added to Customer portal');
  });

  it('skips deactivated members', async () => {
    const deletedMember = buildUniqueUser({ deleted: true, status: 'inactive' });
    service.addToDirectory(deletedMember);
    await service.deliver(projectCreated, buildProject(users, { memberIds: [deletedMember._id, users.member._id] }));
    await waitForEmail(users.member.email);
    expect(await emailsTo(deletedMember.email)).toHaveLength(0);
  });

  it('withdraws its notifications when it is deleted', async () => {
    const project = buildProject(users);
    await service.deliver(projectCreated, project, 1, users.admin._id);
    await service.deliver(projectDeleted, { projectId: project.projectId, name: project.name }, 2, users.admin._id);
    const { data } = await listNotifications(users.member);
    expect(data.filter(({ subject }) => subject.id === project.projectId)).toEqual([]);
  });
});

describe('a project manager', () => {
  const listData = async (user: TestUsers[keyof TestUsers]) =>
    ((await service.call('GET', '/notifications', { as: user })).body as { data: Record<string, unknown>[] }).data;

  it('is notified once of each new member, except members they add themselves', async () => {
    const manager = buildUniqueUser({ role: 'project_manager' });
    const joiningMember = buildUniqueUser();
    const addedMember = buildUniqueUser();
    service.addToDirectory(manager, joiningMember, addedMember);
    const project = buildProject(users, { managerId: manager._id, memberIds: [] });
    await service.deliver(projectCreated, project, 1, users.admin._id);
    const { createdBy: _, ...fields } = project;
    const change = { ...fields, progress: 0, changed: ['teamMembers'] };
    const memberIds = [joiningMember._id];
    await service.deliver(projectUpdated, { ...change, version: 2, memberIds }, 2, joiningMember._id);
    await service.deliver(
      projectUpdated,
      { ...change, version: 3, memberIds: [...memberIds, addedMember._id] },
      1,
      manager._id,
    );
    const joins = (await listData(manager)).filter(({ kind }) => kind === 'projects.member.joined');
    expect(joins).toMatchObject([
      { person: { _id: joiningMember._id }, actor: { _id: joiningMember._id }, subject: { id: project.projectId } },
    ]);
  });

  it('receives the open tasks of a deactivated member; administrators receive those of a deactivated manager', async () => {
    const manager = buildUniqueUser({ role: 'project_manager' });
    const leavingMember = buildUniqueUser();
    const admin = buildUniqueUser({ role: 'admin' });
    service.addToDirectory(manager, leavingMember, admin);
    const deactivation = {
      projectId: buildProject(users).projectId,
      name: 'Customer portal',
      managerId: manager._id,
      userId: leavingMember._id,
      tasks: [{ taskId: buildProject(users).projectId, title: 'Plan the launch' }],
      taskCount: 12,
    };
    await service.deliver(memberDeactivated, deactivation, 2, manager._id);
    expect(await listData(manager)).toMatchObject([
      {
        kind: 'projects.member.departed',
        person: { _id: leavingMember._id },
        tasks: { titles: ['Plan the launch'], count: 12 },
      },
    ]);
    expect(await listData(admin)).toEqual([]);
    service.addToDirectory({ ...manager, status: 'inactive', version: 2 });
    await service.deliver(memberDeactivated, { ...deactivation, userId: manager._id, tasks: [], taskCount: 0 }, 2);
    const [notification, ...otherNotifications] = await listData(admin);
    expect(notification).toMatchObject({ kind: 'projects.manager.departed', person: { _id: manager._id } });
    expect([notification?.tasks, otherNotifications]).toEqual([undefined, []]);
  });

  it('is notified when a team member becomes manager', async () => {
    const formerManager = buildUniqueUser({ role: 'project_manager' });
    const member = buildUniqueUser({ role: 'project_manager' });
    service.addToDirectory(formerManager, member);
    const project = buildProject(users, { managerId: formerManager._id, memberIds: [member._id] });
    await service.deliver(projectCreated, project, 1, users.admin._id);
    const { createdBy: _, ...fields } = project;
    const change = { ...fields, progress: 0, changed: ['projectManager', 'teamMembers'] };
    const assignment = { ...change, version: 2, managerId: member._id, memberIds: [] };
    await service.deliver(projectUpdated, assignment, 2, users.admin._id);
    const kinds = (await listData(member)).map(({ kind }) => kind);
    expect(kinds).toEqual(['projects.manager.assigned', 'projects.member.added']);
  });
});
