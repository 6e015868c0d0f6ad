import type { SeededRandom } from '@atrium/tools/seed/seeded-random';
import type { Browser } from './browser.ts';
import type { ExpectedChange } from './delivery-recorder.ts';
import { found, hasMore, listed } from './found.ts';
import { CONVERSATIONS, type ScreenName, UNREAD } from './screens.ts';
import type { LoadWorkspace } from './virtual-users.ts';

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
/** The number of created items that are kept, so that none is deleted before every browser has shown it. */
const MAX_ITEMS = 3;
const HOUR_MS = 3_600_000;
/** The start of the first meeting; each later one starts an hour before the previous, and so is at the top of lists of the next meetings. */
const FIRST_MEETING_MS = 300 * 24 * HOUR_MS;

/** Registers the expected change, then makes it. */
export type Send = (change: Omit<ExpectedChange, 'at'>, write: () => Promise<unknown>) => Promise<void>;

type Made = { id: string; name: string };
type ItemChangesParams = {
  workspace: LoadWorkspace;
  browsers: () => readonly Browser[];
  random: SeededRandom;
  send: Send;
  nextNumber: () => number;
};

/** Creates and deletes tasks, projects, and meetings. */
export function createItemChanges(given: ItemChangesParams) {
  return { ...tasks(given), ...projects(given), ...meetings(given) };
}

const idOf = ({ _id }: Record<string, unknown>) => String(_id);

function tasks({ workspace, random, send, nextNumber }: ItemChangesParams) {
  const written: (Made & { column: string })[] = [];
  return {
    async newTask() {
      const { project_id: project } = random.one(workspace.tasks);
      const status = random.one(STATUSES);
      const name = `To be done, too #${nextNumber()}`;
      const column = `/tasks/project/${project}?`;
      let isMade = false;
      await send(
        {
          id: name,
          affects: (key) => key.startsWith(column) && key.includes(`status=${status}&`),
          // A long column shows its first hundred.
          isShownIn: (_key, data) => listed(data).some(({ title }) => title === name) || (isMade && hasMore(data)),
        },
        async () => {
          const body = { project, title: name, status, priority: 'high' };
          const response = await workspace.write('/tasks', workspace.admin, { method: 'POST', body });
          isMade = true;
          written.push({ id: idOf(response), name, column });
        },
      );
    },
    async deletedTask() {
      if (written.length <= MAX_ITEMS) return;
      const [task] = written.splice(0, 1);
      if (!task) return;
      const { id } = task;
      await send(
        {
          id,
          affects: (key, data) => key.startsWith(task.column) && found(data, id).length > 0,
          isShownIn: (_key, data) => found(data, id).length === 0,
        },
        () => workspace.write(`/tasks/${id}`, workspace.admin, { method: 'DELETE' }),
      );
    },
  };
}

const isProjectList = (key: string) => key.startsWith('/projects?');
const isOfProjects = (key: string) => isProjectList(key) || key === '/projects/stats';

/** Each project's conversation is created and deleted with it. */
function projects({ workspace, browsers, random, send, nextNumber }: ItemChangesParams) {
  const written: (Made & { team: readonly string[] })[] = [];
  const listUsersOn = (screen: ScreenName) =>
    browsers()
      .filter((browser) => browser.screen.name === screen)
      .map(({ person }) => person._id);
  const hasItsConversation = (data: unknown, name: string) => listed(data).some(({ title }) => title === name);
  return {
    async newProject() {
      const name = `Something new #${nextNumber()}`;
      const team = (['chat', 'dashboard'] as const).flatMap((screen) => {
        const people = listUsersOn(screen);
        return people.length === 0 ? [] : [random.one(people)];
      });
      const startedAt = performance.now();
      let updatedAt = '';
      await send(
        {
          id: name,
          affects: (key, _data, person) => isOfProjects(key) || (key === CONVERSATIONS && team.includes(person)),
          isShownIn: (key, data, requestedAt) => {
            if (key === CONVERSATIONS) return hasItsConversation(data, name);
            if (key === '/projects/stats') return requestedAt > startedAt && updatedAt !== '';
            // Pushed off the end of the list by later changes.
            const isPushedOff = updatedAt !== '' && String(listed(data).at(-1)?.updatedAt) > updatedAt;
            // Workspace-wide lists are refetched so seldom with many browsers that it may be deleted before all have shown it.
            const isDeleted = updatedAt !== '' && !written.some((one) => one.name === name);
            return listed(data).some((item) => item.name === name) || isPushedOff || isDeleted;
          },
        },
        async () => {
          const about = { name, description: 'What it is about', priority: 'medium', status: 'in-progress' };
          const response = await workspace.write('/projects', workspace.admin, {
            method: 'POST',
            body: { ...about, projectManager: workspace.admin._id, teamMembers: [...new Set(team)] },
          });
          updatedAt = String(response.updatedAt);
          written.push({ id: idOf(response), name, team });
        },
      );
    },
    async deletedProject() {
      if (written.length <= MAX_ITEMS) return;
      const [project] = written.splice(0, 1);
      if (!project) return;
      const { id, name, team } = project;
      const startedAt = performance.now();
      let isDeleted = false;
      await send(
        {
          id,
          affects: (key, data, person) =>
            isOfProjects(key) ||
            (key === CONVERSATIONS && hasItsConversation(data, name)) ||
            // It may contain a message.
            (key === UNREAD && team.includes(person)),
          isShownIn: (key, data, requestedAt) => {
            if (key === CONVERSATIONS) return !hasItsConversation(data, name);
            return isDeleted && requestedAt > startedAt && found(data, id).length === 0;
          },
        },
        async () => {
          await workspace.write(`/projects/${id}`, workspace.admin, { method: 'DELETE' });
          isDeleted = true;
        },
      );
    },
  };
}

/** One meeting of a board's user in its project, and one of a dashboard's user. */
function meetings({ workspace, browsers, random, send, nextNumber }: ItemChangesParams) {
  const written: Made[] = [];
  const isOfMeetings = (key: string) => key.startsWith('/meetings/');
  // Administrators also see a project's meetings that they do not attend.
  const admins = new Set(workspace.members.filter(({ role }) => role === 'admin').map(({ _id }) => _id));
  const firstAt = Date.now() + FIRST_MEETING_MS;
  let count = 0;
  return {
    async newMeeting() {
      const all = browsers();
      const boards = all.filter(({ screen }) => screen.name === 'board');
      const dashboards = all.filter(({ screen }) => screen.name === 'dashboard');
      if (boards.length === 0 || dashboards.length === 0) return;
      const [board, dashboard] = [random.one(boards), random.one(dashboards)];
      const ofProject = board.screen.keys.find((key) => key.startsWith('/meetings/project/')) ?? '';
      const project = ofProject.split('/').at(-1)?.split('?')[0];
      const people = [board, dashboard].map(({ person }) => person._id);
      const name = `To talk about it #${nextNumber()}`;
      count += 1;
      const startTime = new Date(firstAt - count * HOUR_MS).toISOString();
      const isOfProject = (key: string) => key.startsWith(`/meetings/project/${project}?`);
      await send(
        {
          id: name,
          affects: (key, _data, person) =>
            people.includes(person)
              ? isOfProject(key) || key === '/meetings/upcoming?limit=5'
              : admins.has(person) && isOfProject(key),
          // A later change created an earlier meeting.
          isShownIn: (_key, data) =>
            listed(data).some((item) => item.title === name || String(item.startTime) < startTime),
        },
        async () => {
          const response = await workspace.write('/meetings', workspace.admin, {
            method: 'POST',
            body: {
              title: name,
              type: 'other',
              startTime,
              endTime: new Date(Date.parse(startTime) + HOUR_MS).toISOString(),
              timezone: 'UTC',
              meetingLink: 'https://meet.example.org/load',
              participants: [...new Set(people)],
              project,
            },
          });
          written.push({ id: idOf(response), name });
        },
      );
    },
    async movedMeeting() {
      const meeting = written.at(-1);
      if (!meeting) return;
      const { id } = meeting;
      const title = `To talk about it #${nextNumber()}`;
      await send(
        {
          id,
          affects: (key, data) => isOfMeetings(key) && found(data, id).length > 0,
          isShownIn: (_key, data) => found(data, id).every((item) => item.title === title),
        },
        () => workspace.write(`/meetings/${id}`, workspace.admin, { method: 'PATCH', body: { title } }),
      );
    },
    async deletedMeeting() {
      const meeting = written.length > MAX_ITEMS ? written.pop() : undefined;
      if (!meeting) return;
      const { id } = meeting;
      await send(
        {
          id,
          affects: (key, data) => isOfMeetings(key) && found(data, id).length > 0,
          isShownIn: (_key, data) => found(data, id).length === 0,
        },
        () => workspace.write(`/meetings/${id}`, workspace.admin, { method: 'DELETE' }),
      );
    },
  };
}
