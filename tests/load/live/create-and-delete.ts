import type { Chance } from '@atrium/tools/seed/seeded-random';
import type { Browser } from './browser.ts';
import type { Expected } from './delivery-recorder.ts';
import { found, hasMore, listed } from './found.ts';
import { CONVERSATIONS, type ScreenName, UNREAD } from './screens.ts';
import type { Office } from './virtual-users.ts';

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
/** So many are left of what was made, so that nothing goes before all have heard that it came. */
const LEFT = 3;
const HOUR_MS = 3_600_000;
/** The first meeting is then, and each that is made later an hour before all others: so lists of the next ones have it at their top. */
const FIRST_MEETING_MS = 300 * 24 * HOUR_MS;

/** Expects a change, and makes it. */
export type Send = (change: Omit<Expected, 'at'>, write: () => Promise<unknown>) => Promise<void>;

type Made = { id: string; name: string };
type Given = {
  office: Office;
  browsers: () => readonly Browser[];
  chance: Chance;
  send: Send;
  nextNumber: () => number;
};

/** Tasks, projects and meetings that are made and taken away. */
export function createComingAndGoing(given: Given) {
  return { ...tasks(given), ...projects(given), ...meetings(given) };
}

const idOf = ({ _id }: Record<string, unknown>) => String(_id);

function tasks({ office, chance, send, nextNumber }: Given) {
  const made: (Made & { column: string })[] = [];
  return {
    async newTask() {
      const { project_id: project } = chance.one(office.tasks);
      const status = chance.one(STATUSES);
      const name = `To be done, too #${nextNumber()}`;
      const column = `/tasks/project/${project}?`;
      let isMade = false;
      await send(
        {
          id: name,
          affects: (key) => key.startsWith(column) && key.includes(`status=${status}&`),
          // A long column shows its first hundred.
          isIn: (_key, data) => listed(data).some(({ title }) => title === name) || (isMade && hasMore(data)),
        },
        async () => {
          const body = { project, title: name, status, priority: 'high' };
          const answer = await office.write('/tasks', office.admin, { method: 'POST', body });
          isMade = true;
          made.push({ id: idOf(answer), name, column });
        },
      );
    },
    async goneTask() {
      if (made.length <= LEFT) return;
      const [task] = made.splice(0, 1);
      if (!task) return;
      const { id } = task;
      await send(
        {
          id,
          affects: (key, data) => key.startsWith(task.column) && found(data, id).length > 0,
          isIn: (_key, data) => found(data, id).length === 0,
        },
        () => office.write(`/tasks/${id}`, office.admin, { method: 'DELETE' }),
      );
    },
  };
}

const isProjectList = (key: string) => key.startsWith('/projects?');
const isOfProjects = (key: string) => isProjectList(key) || key === '/projects/stats';

/** With each project comes and goes its conversation. */
function projects({ office, browsers, chance, send, nextNumber }: Given) {
  const made: (Made & { team: readonly string[] })[] = [];
  const someone = (screen: ScreenName) =>
    browsers()
      .filter((browser) => browser.screen.name === screen)
      .map(({ person }) => person._id);
  const hasItsConversation = (data: unknown, name: string) => listed(data).some(({ title }) => title === name);
  return {
    async newProject() {
      const name = `Something new #${nextNumber()}`;
      const team = (['chat', 'dashboard'] as const).flatMap((screen) => {
        const people = someone(screen);
        return people.length === 0 ? [] : [chance.one(people)];
      });
      const begun = performance.now();
      let updatedAt = '';
      await send(
        {
          id: name,
          affects: (key, _data, person) => isOfProjects(key) || (key === CONVERSATIONS && team.includes(person)),
          isIn: (key, data, askedAt) => {
            if (key === CONVERSATIONS) return hasItsConversation(data, name);
            if (key === '/projects/stats') return askedAt > begun && updatedAt !== '';
            // Pushed off the end of the list by what changed since.
            const isPushedOff = updatedAt !== '' && String(listed(data).at(-1)?.updatedAt) > updatedAt;
            // Lists of everything are asked for so seldom in a crowd that it may have gone before all have had it.
            const isGone = updatedAt !== '' && !made.some((one) => one.name === name);
            return listed(data).some((item) => item.name === name) || isPushedOff || isGone;
          },
        },
        async () => {
          const about = { name, description: 'What it is about', priority: 'medium', status: 'in-progress' };
          const answer = await office.write('/projects', office.admin, {
            method: 'POST',
            body: { ...about, projectManager: office.admin._id, teamMembers: [...new Set(team)] },
          });
          updatedAt = String(answer.updatedAt);
          made.push({ id: idOf(answer), name, team });
        },
      );
    },
    async goneProject() {
      if (made.length <= LEFT) return;
      const [project] = made.splice(0, 1);
      if (!project) return;
      const { id, name, team } = project;
      const begun = performance.now();
      let isGone = false;
      await send(
        {
          id,
          affects: (key, data, person) =>
            isOfProjects(key) ||
            (key === CONVERSATIONS && hasItsConversation(data, name)) ||
            // Something may have been said in it.
            (key === UNREAD && team.includes(person)),
          isIn: (key, data, askedAt) => {
            if (key === CONVERSATIONS) return !hasItsConversation(data, name);
            return isGone && askedAt > begun && found(data, id).length === 0;
          },
        },
        async () => {
          await office.write(`/projects/${id}`, office.admin, { method: 'DELETE' });
          isGone = true;
        },
      );
    },
  };
}

/** Each of the person of a board, in its project, and one of a dashboard. */
function meetings({ office, browsers, chance, send, nextNumber }: Given) {
  const made: Made[] = [];
  const isOfMeetings = (key: string) => key.startsWith('/meetings/');
  // They see the meetings of a project that are not theirs, too.
  const admins = new Set(office.members.filter(({ role }) => role === 'admin').map(({ _id }) => _id));
  const firstAt = Date.now() + FIRST_MEETING_MS;
  let count = 0;
  return {
    async newMeeting() {
      const all = browsers();
      const boards = all.filter(({ screen }) => screen.name === 'board');
      const dashboards = all.filter(({ screen }) => screen.name === 'dashboard');
      if (boards.length === 0 || dashboards.length === 0) return;
      const [board, dashboard] = [chance.one(boards), chance.one(dashboards)];
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
          // One that is still sooner came since.
          isIn: (_key, data) => listed(data).some((item) => item.title === name || String(item.startTime) < startTime),
        },
        async () => {
          const answer = await office.write('/meetings', office.admin, {
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
          made.push({ id: idOf(answer), name });
        },
      );
    },
    async movedMeeting() {
      const meeting = made.at(-1);
      if (!meeting) return;
      const { id } = meeting;
      const title = `To talk about it #${nextNumber()}`;
      await send(
        {
          id,
          affects: (key, data) => isOfMeetings(key) && found(data, id).length > 0,
          isIn: (_key, data) => found(data, id).every((item) => item.title === title),
        },
        () => office.write(`/meetings/${id}`, office.admin, { method: 'PATCH', body: { title } }),
      );
    },
    async goneMeeting() {
      const meeting = made.length > LEFT ? made.pop() : undefined;
      if (!meeting) return;
      const { id } = meeting;
      await send(
        {
          id,
          affects: (key, data) => isOfMeetings(key) && found(data, id).length > 0,
          isIn: (_key, data) => found(data, id).length === 0,
        },
        () => office.write(`/meetings/${id}`, office.admin, { method: 'DELETE' }),
      );
    },
  };
}
