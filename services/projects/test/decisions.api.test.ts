import { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import { decisionResolved, taskCreated } from '@atrium/proto-events/events/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(() => service.close());

const buildDecision = (project: string, overrides: Record<string, unknown> = {}) => ({
  decisionId: newId(),
  attempt: 1,
  meetingId: newId(),
  project,
  madeBy: users.manager._id,
  text: 'Ship the portal',
  assignedTo: users.member._id,
  dueDate: '2030-05-01T00:00:00.000Z',
  ...overrides,
});
type Decision = ReturnType<typeof buildDecision>;
const waitForOutcome = async ({ decisionId, attempt }: Decision) =>
  (await service.waitForEvent(decisionResolved, (data) => data.decisionId === decisionId && data.attempt === attempt))
    .data;
const listTasks = async (project: string) =>
  ((await service.call('GET', `/tasks/project/${project}`, { as: users.member })).body as { data: Task[] }).data;

describe('a decision of a meeting', () => {
  it('creates one task in its project for the user who closed the meeting, despite redelivery', async () => {
    const { _id: project } = await createProject(service, users);
    const decision = buildDecision(project);
    await service.deliver(decisionMade, decision, 2);
    // The same decision may arrive in a second event, for example after a restore.
    await service.deliver(decisionMade, decision);
    const [task, ...otherTasks] = await listTasks(project);
    expect(otherTasks).toEqual([]);
    expect(task).toMatchObject({
      title: 'Ship the portal',
      status: 'todo',
      assignedTo: { _id: users.member._id },
      dueDate: '2030-05-01T00:00:00.000Z',
      createdBy: { _id: users.manager._id },
    });
    expect(await waitForOutcome(decision)).toEqual({
      decisionId: decision.decisionId,
      attempt: 1,
      meetingId: decision.meetingId,
      projectId: project,
      outcome: 'made',
      taskId: task?._id,
      status: 'todo',
      version: 1,
      reason: null,
    });
    expect(service.countPublished(decisionResolved, (data) => data.decisionId === decision.decisionId)).toBe(1);
    expect(service.countPublished(taskCreated, (data) => data.projectId === project)).toBe(1);
  });

  it('keeps its task when requested again, and gets a new task if the first was deleted', async () => {
    const { _id: project } = await createProject(service, users);
    const decision = buildDecision(project);
    await service.deliver(decisionMade, decision);
    const [task] = await listTasks(project);
    await service.deliver(decisionMade, { ...decision, attempt: 2 }, 2);
    expect(await waitForOutcome({ ...decision, attempt: 2 })).toMatchObject({ outcome: 'made', taskId: task?._id });
    await service.call('DELETE', `/tasks/${task?._id}`, { as: users.manager });
    await service.deliver(decisionMade, { ...decision, attempt: 3 }, 2);
    const [newTask, ...otherTasks] = await listTasks(project);
    expect(otherTasks).toEqual([]);
    expect(await waitForOutcome({ ...decision, attempt: 3 })).toMatchObject({ outcome: 'made', taskId: newTask?._id });
    // The first attempt arrives late.
    await service.deliver(decisionMade, decision);
    expect(await listTasks(project)).toHaveLength(1);
  });

  it('is rejected with the error message of the equivalent API call', async () => {
    const { _id: project } = await createProject(service, users);
    const denials: [Record<string, unknown>, string][] = [
      [{ assignedTo: users.stranger._id }, 'Tasks can be assigned to project members only'],
      [{ madeBy: users.stranger._id }, 'Only project members can create its tasks'],
      [{ madeBy: users.inactive._id }, 'The person who closed the meeting can no longer create tasks'],
      [{ project: newId() }, 'Project not found'],
    ];
    for (const [overrides, reason] of denials) {
      const decision = buildDecision(project, overrides);
      await service.deliver(decisionMade, decision, 2);
      expect(await waitForOutcome(decision)).toMatchObject({ outcome: 'rejected', taskId: null, reason });
    }
    expect(await listTasks(project)).toEqual([]);
  });
});
