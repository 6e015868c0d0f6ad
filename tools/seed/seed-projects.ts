import { inDatabase, insertAll } from './insert.ts';
import { ADJECTIVES, SUBJECTS, VERBS } from './names.ts';
import type { SeededPerson } from './seed-people.ts';
import { type Chance, createSeededRandom, madeId } from './seeded-random.ts';

export type SeededTask = { id: string; project_id: string; status: string; assigned_to: string | null };
type Amounts = { projects: number; tasks: number };

const HOUR = 3_600_000;
const PRIORITIES = ['medium', 'high', 'low', 'urgent'];
const PROJECT_STATUSES = ['in-progress', 'completed', 'not-started', 'on-hold', 'cancelled'];
const TASK_STATUSES = ['done', 'todo', 'in-progress', 'review'];
/** Above 1: the first of a list come up more often, so that a few projects and people have very much to do. */
const SKEW = 3;

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Puts projects with their teams, and tasks, into the projects service's database; answers the tasks. */
export const seedProjects = (
  projectsUrl: string,
  everybody: readonly SeededPerson[],
  amounts: Amounts,
): Promise<SeededTask[]> => {
  const people = everybody.filter(({ status }) => status === 'active');
  const managers = people.filter(({ role }) => role !== 'member');
  const chance = createSeededRandom(amounts.projects + amounts.tasks);
  const projects = Array.from({ length: amounts.projects }, (_, index) => buildProject(index, chance, managers));
  const tasks =
    projects.length === 0
      ? []
      : Array.from({ length: amounts.tasks }, (_, i) => buildTask(i, chance, projects, people));
  return inDatabase(projectsUrl, async (client) => {
    await insertAll(client, { table: 'projects', columns: PROJECT_COLUMNS }, projects);
    const members = projects.flatMap((project) => teamOf(project, chance, people));
    await insertAll(
      client,
      { table: 'project_members', columns: 'project_id text, user_id text, position integer' },
      members,
    );
    await insertAll(client, { table: 'tasks', columns: TASK_COLUMNS }, tasks);
    return tasks;
  });
};

const PROJECT_COLUMNS = `id text, name text, description text, priority text, status text, manager_id text, progress smallint,
  due_date timestamptz, created_by text, created_at timestamptz, updated_at timestamptz`;

const buildProject = (index: number, chance: Chance, managers: SeededPerson[]) => {
  const subject = chance.one(SUBJECTS);
  const status = chance.one(PROJECT_STATUSES, 1.3);
  const manager = chance.one(managers).id;
  const age = chance.whole(20_000);
  return {
    id: madeId(),
    name: `${chance.one(ADJECTIVES)} ${subject} ${index + 1}`,
    description: `Everything that the ${subject} needs, from the first talk to the last check.`,
    priority: chance.one(PRIORITIES, 1.3),
    status,
    manager_id: manager,
    progress: status === 'completed' ? 100 : status === 'not-started' ? 0 : 5 * chance.whole(20),
    due_date: chance.happens(0.1) ? null : hoursAgo(chance.whole(4_000) - 2_500),
    created_by: manager,
    created_at: hoursAgo(age),
    updated_at: hoursAgo(chance.whole(age + 1)),
  };
};

const teamOf = ({ id, manager_id }: { id: string; manager_id: string }, chance: Chance, people: SeededPerson[]) => {
  const chosen = Array.from({ length: 2 + chance.whole(7) }, () => chance.one(people, 1.5).id);
  const members = [...new Set(chosen)].filter((person) => person !== manager_id);
  return members.map((user_id, position) => ({ project_id: id, user_id, position: position + 1 }));
};

const TASK_COLUMNS = `id text, project_id text, title text, description text, status text, priority text, assigned_to text,
  due_date timestamptz, progress smallint, created_by text, created_at timestamptz, updated_at timestamptz`;

const buildTask = (
  index: number,
  chance: Chance,
  projects: { id: string; manager_id: string }[],
  people: SeededPerson[],
) => {
  const { id: project_id, manager_id } = chance.one(projects, SKEW);
  const status = chance.one(TASK_STATUSES, 1.3);
  const at = hoursAgo(chance.whole(15_000));
  const subject = chance.one(SUBJECTS);
  return {
    id: madeId(),
    project_id,
    title: `${chance.one(VERBS)} the ${subject} ${index + 1}`,
    description: `${capital(subject)}: what was agreed, who must know of it, and how to tell that it is done.`,
    status,
    priority: chance.one(PRIORITIES, 1.3),
    assigned_to: chance.happens(0.1) ? null : chance.one(people, SKEW).id,
    due_date: chance.happens(0.3) ? null : hoursAgo(chance.whole(4_000) - 2_000),
    progress: status === 'done' ? 100 : status === 'todo' ? 0 : 10 * chance.whole(10),
    created_by: manager_id,
    created_at: at,
    updated_at: at,
  };
};
