import type { DemoPerson } from './people.ts';

type Plan = {
  name: string;
  description: string;
  manager: string;
  team: string[];
  priority: 'urgent' | 'high' | 'medium' | 'low';
  /** The final state, which the demo reaches the way users would: it creates, starts, and updates the project. */
  state: 'not-started' | 'in-progress' | 'on-hold' | 'completed' | 'cancelled';
  progress: number;
  /** Days from today; negative is overdue. */
  due: number;
  tasks: Task[];
};

type Task = [
  title: string,
  status: 'todo' | 'in-progress' | 'review' | 'done',
  assignee: string,
  comments?: [who: string, text: string][],
];

const PLANS: Plan[] = [
  {
    name: 'Accessibility audit',
    description: 'Every public page against WCAG 2.2 AA',
    manager: 'Jonas',
    team: ['Rui', 'Freya'],
    priority: 'low',
    state: 'in-progress',
    progress: 45,
    due: 30,
    tasks: [
      ['Audit the checkout pages', 'done', 'Rui'],
      ['Contrast of the chart colors', 'in-progress', 'Freya'],
      ['Screen reader test with real users', 'todo', 'Rui'],
    ],
  },
  {
    name: 'Data center exit, Frankfurt',
    description: 'Return the last two racks once the backups have moved',
    manager: 'Tariq',
    team: ['Emeka', 'Dmitri'],
    priority: 'medium',
    state: 'cancelled',
    progress: 10,
    due: 90,
    tasks: [['List what still runs there', 'done', 'Emeka']],
  },
  {
    name: 'Office move, Leipzig',
    description: 'Floor plan, network and the moving weekend',
    manager: 'Jonas',
    team: ['Petra', 'Noah', 'Ines'],
    priority: 'low',
    state: 'not-started',
    progress: 0,
    due: 75,
    tasks: [
      ['Order the network line', 'todo', 'Noah'],
      ['Floor plan, first draft', 'in-progress', 'Ines'],
    ],
  },
  {
    name: 'Hiring: two backend engineers',
    description: 'From the advert to the first day, both offers signed before spring',
    manager: 'Tariq',
    team: ['Petra', 'Grace'],
    priority: 'high',
    state: 'in-progress',
    progress: 60,
    due: -4,
    tasks: [
      ['Publish the advert', 'done', 'Petra'],
      ['Second interviews', 'in-progress', 'Grace', [['Tariq', 'Thursday works for me, not before eleven.']]],
      ['Prepare offers', 'todo', 'Petra'],
    ],
  },
  {
    name: 'Supplier onboarding',
    description: 'One form, one contract, one place to see the status of each supplier',
    manager: 'Hanna',
    team: ['Aiko', 'Jonas'],
    priority: 'medium',
    state: 'on-hold',
    progress: 15,
    due: 60,
    tasks: [['Legal review of the contract', 'review', 'Aiko']],
  },
  {
    name: 'Brand guidelines 2027',
    description: 'Typeface, colors, and tone of voice, with templates',
    manager: 'Hanna',
    team: ['Ines', 'Lena', 'Chiara'],
    priority: 'medium',
    state: 'completed',
    progress: 100,
    due: -10,
    tasks: [
      ['Choose the typeface', 'done', 'Ines'],
      ['Slide templates', 'done', 'Chiara'],
    ],
  },
  {
    name: 'Quarterly report',
    description: 'Numbers, stories and charts for the supervisory board',
    manager: 'Hanna',
    team: ['Sofia', 'Oliver', 'Yusuf'],
    priority: 'high',
    state: 'completed',
    progress: 100,
    due: -25,
    tasks: [['Charts for revenue', 'done', 'Oliver']],
  },
  {
    name: 'Warehouse migration',
    description: 'Move stock and orders off the old system before the quarter ends',
    manager: 'Tariq',
    team: ['Rui', 'Samuel', 'Luca', 'Ana'],
    priority: 'urgent',
    state: 'in-progress',
    progress: 30,
    due: 20,
    tasks: [
      ['Dry run on a copy', 'done', 'Rui'],
      [
        'Map the article numbers',
        'in-progress',
        'Luca',
        [
          ['Luca', '312 of them have no counterpart yet, the list is in the hub.'],
          ['Tariq', 'Take the old supplier numbers for those, we clean up in January.'],
        ],
      ],
      ['Freeze window with the stores', 'todo', 'Ana'],
      ['Roll-back plan', 'review', 'Samuel', [['Samuel', 'Ready to be read. The risky part is page two.']]],
      ['Notify the carriers', 'todo', ''],
    ],
  },
  {
    name: 'Customer portal relaunch',
    description: 'New sign-up, billing and help center for all three regions',
    manager: 'Jonas',
    team: ['Lena', 'Aiko', 'Noah', 'Mikael', 'Zeynep', 'Amélie', 'Maya'],
    priority: 'high',
    state: 'in-progress',
    progress: 65,
    due: 14,
    tasks: [
      ['Sign-up flow in four screens', 'done', 'Lena'],
      [
        'Validate VAT numbers',
        'in-progress',
        'Lena',
        [
          ['Jonas', 'The field still accepts letters for Germany.'],
          ['Lena', 'Fixed on staging, with a hint for each country.'],
          ['Aiko', 'Tested with twelve countries, Greece needs EL instead of GR.'],
        ],
      ],
      ['Invoices as PDF', 'review', 'Aiko', [['Jonas', 'Looks right. Please add the order number to the head.']]],
      ['Help center search', 'in-progress', 'Mikael'],
      ['Copy for the last screen', 'todo', 'Zeynep', [['Zeynep', 'First draft tomorrow morning.']]],
      ['Redirects from the old addresses', 'todo', ''],
    ],
  },
];

const DAY = 24 * 60 * 60 * 1000;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

export type DemoProject = { id: string; name: string; manager: DemoPerson; team: DemoPerson[] };

export async function createProjects(
  people: DemoPerson[],
  find: (first: string) => DemoPerson,
): Promise<DemoProject[]> {
  const admin = people[0] as DemoPerson;
  const projects: DemoProject[] = [];
  for (const plan of PLANS) {
    const manager = find(plan.manager);
    const team = plan.team.map(find);
    const { _id } = await admin.client.post<{ _id: string }>('/projects', {
      name: plan.name,
      description: plan.description,
      priority: plan.priority,
      status: plan.state === 'in-progress' ? 'in-progress' : 'not-started',
      projectManager: manager.id,
      teamMembers: team.map(({ id }) => id),
      startDate: dayFromNow(-40),
      deadline: dayFromNow(plan.due),
    });
    for (const [index, task] of plan.tasks.entries()) {
      await addTask({ plan, task, project: _id, due: plan.due - 3 - 2 * index }, find);
    }
    await reachState(plan, manager, _id);
    projects.push({ id: _id, name: plan.name, manager, team });
  }
  return projects;
}

const PROGRESS = { 'in-progress': 40, review: 90 };

async function addTask(
  { plan, task, project, due }: { plan: Plan; task: Task; project: string; due: number },
  find: (first: string) => DemoPerson,
): Promise<void> {
  const [title, status, assignee, comments = []] = task;
  const { client } = find(plan.manager);
  const { _id } = await client.post<{ _id: string }>('/tasks', {
    title,
    status,
    project,
    priority: status === 'in-progress' ? plan.priority : 'medium',
    assignedTo: assignee === '' ? null : find(assignee).id,
    dueDate: dayFromNow(due),
  });
  if (status === 'in-progress' || status === 'review') {
    await client.patch(`/tasks/${_id}/progress`, { progress: PROGRESS[status] });
  }
  for (const [who, comment] of comments) await find(who).client.post(`/tasks/${_id}/comments`, { comment });
}

/** Changes the status and progress of a project. Progress can change only while the project is in progress. */
async function reachState(plan: Plan, manager: DemoPerson, id: string): Promise<void> {
  if (plan.progress > 0)
    await manager.client.patch(`/projects/${id}`, { status: 'in-progress', progress: plan.progress });
  if (plan.state !== 'in-progress' && plan.state !== 'not-started')
    await manager.client.patch(`/projects/${id}`, { status: plan.state });
}

export function getProjectId(projects: DemoProject[], name: string): string {
  const project = projects.find((candidate) => candidate.name === name);
  if (!project) throw new Error(`No project of the demo is called ${name}`);
  return project.id;
}
