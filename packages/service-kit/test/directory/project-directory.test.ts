import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { markComplete, openBucket } from '@atrium/service-kit/directory/bucket';
import { createProjectDirectory, followProjects } from '@atrium/service-kit/directory/project-directory';
import { newId } from '@atrium/service-kit/process/new-id';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it, jest } from '@jest/globals';
import { connectNats, quiet } from '../pods.ts';

const resources = closeAfterEach();

const ID = 'a'.repeat(24);
const buildProject = (overrides: Partial<DirectoryProject> = {}): DirectoryProject => ({
  _id: ID,
  name: 'Portal',
  managerId: 'b'.repeat(24),
  memberIds: ['c'.repeat(24)],
  deleted: false,
  version: 1,
  ...overrides,
});

describe('followProjects', () => {
  it('is ready once it has caught up, follows changes, and skips invalid entries', async () => {
    const messaging = await connectNats(resources);
    const bucket = await openBucket(messaging, messaging.projectsBucket);
    const put = (value: unknown) => bucket.put(`project.${ID}`, JSON.stringify(value));
    await put(buildProject());
    const projects = createProjectDirectory();
    resources.push(await followProjects(projects, messaging, quiet));
    expect(projects.project(ID)).toEqual(buildProject());
    await put({ _id: ID });
    await put(buildProject({ version: 3, name: 'New' }));
    await waitFor(() => projects.project(ID)?.name === 'New', { description: 'the new name' });
  });

  it('is complete once the projects service has marked it as complete, even for a later subscriber', async () => {
    const messaging = await connectNats(resources);
    const earlyDirectory = createProjectDirectory();
    const lateDirectory = createProjectDirectory();
    resources.push(await followProjects(earlyDirectory, messaging, quiet));
    expect(earlyDirectory.isComplete()).toBe(false);
    await markComplete(messaging, messaging.projectsBucket);
    await waitFor(() => earlyDirectory.isComplete(), { description: 'the directory to be complete' });
    resources.push(await followProjects(lateDirectory, messaging, quiet));
    expect([lateDirectory.isComplete(), [...lateDirectory.projects()]]).toEqual([true, []]);
  });

  it('never reverts to an older version', () => {
    const projects = createProjectDirectory();
    projects.putProject(buildProject({ version: 2, deleted: true }));
    projects.putProject(buildProject());
    expect(projects.project(ID)?.deleted).toBe(true);
  });

  it('resolves a wait when the project arrives, immediately if it is present, or with undefined at the timeout', async () => {
    const projects = createProjectDirectory();
    const waiting = projects.whenProject(ID, 5_000);
    projects.putProject(buildProject());
    expect(await waiting).toEqual(buildProject());
    expect(await projects.whenProject(ID, 5_000)).toEqual(buildProject());
    expect(await projects.whenProject('e'.repeat(24), 20)).toBeUndefined();
  });

  it('waits only for a recent id once all projects are present', async () => {
    const projects = createProjectDirectory();
    projects.markComplete();
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    expect(await projects.whenProject('e'.repeat(24), 5_000)).toBeUndefined();
    expect(timeout).not.toHaveBeenCalled();
    expect(await projects.whenProject(newId(), 20)).toBeUndefined();
    expect(timeout).toHaveBeenCalledTimes(1);
    timeout.mockRestore();
  });
});
