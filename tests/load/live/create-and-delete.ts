import type { SeededRandom } from '@atrium/tools/seed/seeded-random';
import type { Browser } from './browser.ts';
import type { ExpectedChange } from './delivery-recorder.ts';
import { changeNumberOf, findItems, hasMore, type Item, listItems } from './response-items.ts';
import { CONVERSATIONS, type ScreenName, UNREAD } from './screens.ts';
import type { LoadWorkspace } from './virtual-users.ts';

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
/** Number of created items that are not deleted yet, so that every browser shows an item before it is deleted. */
const MAX_ITEMS = 3;
const HOUR_MS = 3_600_000;
/** Start of the first meeting. Each later one starts an hour before the previous one, so it is first in lists. */
const FIRST_MEETING_MS = 300 * 24 * HOUR_MS;

/** Registers an expected change, and then makes it. */
export type Send = (change: Omit<ExpectedChange, 'at'>, write: () => Promise<unknown>) => Promise<void>;

type CreatedItem = { id: string; name: string };
type ItemChangesParams = {
  workspace: LoadWorkspace;
  browsers: () => readonly Browser[];
  random: SeededRandom;
  send: Send;
  nextNumber: () => number;
};

/** Creates and deletes tasks, projects, and meetings. */
export function createItemChanges(params: ItemChangesParams) {
  return { ...tasks(params), ...projects(params), ...meetings(params) };
}

const idOf = ({ _id }: Record<string, unknown>) => String(_id);

function tasks({ workspace, random, send, nextNumber }: ItemChangesParams) {
  const createdItems: (CreatedItem & { column: string })[] = [];
  return {
    async newTask() {
      const { project_id: project } = random.pick(workspace.tasks);
      const status = random.pick(STATUSES);
      const name = `New task #${nextNumber()}`;
      const column = `/tasks/project/${project}?`;
      let isCreated = false;
      await send(
        {
          id: name,
          affects: (key) => key.startsWith(column) && key.includes(`status=${status}&`),
          // A long column shows only its first hundred tasks.
          isShownIn: (_key, data) =>
            listItems(data).some(({ title }) => title === name) || (isCreated && hasMore(data)),
        },
        async () => {
          const body = { project, title: name, status, priority: 'high' };
          const response = await workspace.write('/tasks', workspace.admin, { method: 'POST', body });
          isCreated = true;
          createdItems.push({ id: idOf(response), name, column });
        },
      );
    },
    async deletedTask() {
      if (createdItems.length <= MAX_ITEMS) return;
      const [task] = createdItems.splice(0, 1);
      if (!task) return;
      const { id } = task;
      await send(
        {
          id,
          affects: (key, data) => key.startsWith(task.column) && findItems(data, id).length > 0,
          isShownIn: (_key, data) => findItems(data, id).length === 0,
        },
        () => workspace.write(`/tasks/${id}`, workspace.admin, { method: 'DELETE' }),
      );
    },
  };
}

const isProjectList = (key: string) => key.startsWith('/projects?');
const isOfProjects = (key: string) => isProjectList(key) || key === '/projects/stats';

/** Creates and deletes projects, whose conversations are created and deleted with them. */
function projects({ workspace, browsers, random, send, nextNumber }: ItemChangesParams) {
  const createdItems: (CreatedItem & { team: readonly string[] })[] = [];
  const listUsersOn = (screen: ScreenName) =>
    browsers()
      .filter((browser) => browser.screen.name === screen)
      .map(({ user }) => user._id);
  const hasConversation = (data: unknown, name: string) => listItems(data).some(({ title }) => title === name);
  return {
    async newProject() {
      const name = `Something new #${nextNumber()}`;
      const team = (['chat', 'dashboard'] as const).flatMap((screen) => {
        const users = listUsersOn(screen);
        return users.length === 0 ? [] : [random.pick(users)];
      });
      const startedAt = performance.now();
      let updatedAt = '';
      await send(
        {
          id: name,
          affects: (key, _data, userId) =>
            isOfProjects(key) || ([CONVERSATIONS, UNREAD].includes(key) && team.includes(userId)),
          isShownIn: (key, data, shownAt) => {
            if (key === UNREAD) return shownAt > startedAt;
            if (key === CONVERSATIONS) return hasConversation(data, name);
            if (key === '/projects/stats') return shownAt > startedAt && updatedAt !== '';
            // Pushed off the end of the list by later changes.
            const isPushedOff = updatedAt !== '' && String(listItems(data).at(-1)?.updatedAt) > updatedAt;
            // With many browsers, workspace-wide lists are refetched so rarely that the project may be deleted first.
            const isDeleted = updatedAt !== '' && !createdItems.some((created) => created.name === name);
            return listItems(data).some((item) => item.name === name) || isPushedOff || isDeleted;
          },
        },
        async () => {
          const fields = { name, description: 'What it is about', priority: 'medium', status: 'in-progress' };
          const response = await workspace.write('/projects', workspace.admin, {
            method: 'POST',
            body: { ...fields, projectManager: workspace.admin._id, teamMembers: [...new Set(team)] },
          });
          updatedAt = String(response.updatedAt);
          createdItems.push({ id: idOf(response), name, team });
        },
      );
    },
    async deletedProject() {
      if (createdItems.length <= MAX_ITEMS) return;
      const [project] = createdItems.splice(0, 1);
      if (!project) return;
      const { id, name, team } = project;
      const startedAt = performance.now();
      let isDeleted = false;
      await send(
        {
          id,
          affects: (key, data, userId) =>
            isOfProjects(key) ||
            (key === CONVERSATIONS && hasConversation(data, name)) ||
            // The conversation may contain a message.
            (key === UNREAD && team.includes(userId)),
          isShownIn: (key, data, shownAt) => {
            if (key === CONVERSATIONS) return !hasConversation(data, name);
            return isDeleted && shownAt > startedAt && findItems(data, id).length === 0;
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

/** Whether it is the meeting that was created with this number, which may have been renamed since. */
const isOfMeeting = ({ startTime, title }: Item, createdStart: string, number: number) =>
  startTime === createdStart && changeNumberOf(title) >= number;

/** Creates, renames, and deletes meetings that a board's user and a dashboard's user attend, in the board's project. */
function meetings({ workspace, browsers, random, send, nextNumber }: ItemChangesParams) {
  const createdItems: CreatedItem[] = [];
  const isOfMeetings = (key: string) => key.startsWith('/meetings/');
  // Administrators also see a project's meetings that they do not attend.
  const admins = new Set(workspace.members.filter(({ role }) => role === 'admin').map(({ _id }) => _id));
  const firstAt = Date.now() + FIRST_MEETING_MS;
  let meetingCount = 0;
  return {
    async newMeeting() {
      const openBrowsers = browsers();
      const boards = openBrowsers.filter(({ screen }) => screen.name === 'board');
      const dashboards = openBrowsers.filter(({ screen }) => screen.name === 'dashboard');
      if (boards.length === 0 || dashboards.length === 0) return;
      const board = random.pick(boards);
      const dashboard = random.pick(dashboards);
      const projectMeetingsKey = board.screen.keys.find((key) => key.startsWith('/meetings/project/')) ?? '';
      const project = projectMeetingsKey.split('/').at(-1)?.split('?')[0];
      const attendees = [board, dashboard].map(({ user }) => user._id);
      const number = nextNumber();
      const name = `Planning #${number}`;
      meetingCount += 1;
      const startTime = new Date(firstAt - meetingCount * HOUR_MS).toISOString();
      const isOfProject = (key: string) => key.startsWith(`/meetings/project/${project}?`);
      await send(
        {
          id: name,
          affects: (key, _data, userId) =>
            attendees.includes(userId)
              ? isOfProject(key) || key === '/meetings/upcoming?limit=5'
              : admins.has(userId) && isOfProject(key),
          // A later change created an earlier meeting, which takes its place.
          isShownIn: (_key, data) =>
            listItems(data).some((item) => isOfMeeting(item, startTime, number) || String(item.startTime) < startTime),
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
              participants: [...new Set(attendees)],
              project,
            },
          });
          createdItems.push({ id: idOf(response), name });
        },
      );
    },
    async movedMeeting() {
      const meeting = createdItems.at(-1);
      if (!meeting) return;
      const { id } = meeting;
      const number = nextNumber();
      const title = `Planning #${number}`;
      await send(
        {
          id,
          affects: (key, data) => isOfMeetings(key) && findItems(data, id).length > 0,
          // It may have been renamed again.
          isShownIn: (_key, data) => findItems(data, id).every((item) => changeNumberOf(item.title) >= number),
        },
        () => workspace.write(`/meetings/${id}`, workspace.admin, { method: 'PATCH', body: { title } }),
      );
    },
    async deletedMeeting() {
      const meeting = createdItems.length > MAX_ITEMS ? createdItems.pop() : undefined;
      if (!meeting) return;
      const { id } = meeting;
      await send(
        {
          id,
          affects: (key, data) => isOfMeetings(key) && findItems(data, id).length > 0,
          isShownIn: (_key, data) => findItems(data, id).length === 0,
        },
        () => workspace.write(`/meetings/${id}`, workspace.admin, { method: 'DELETE' }),
      );
    },
  };
}
