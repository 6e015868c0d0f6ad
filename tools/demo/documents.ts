import type { DemoPerson } from './people.ts';
import { type DemoProject, getProjectId } from './projects.ts';

type Plan = {
  name: string;
  by: string;
  visibility: 'private' | 'team' | 'public';
  tags: string;
  description: string;
  lines: number;
  share?: string[];
  project?: string;
};

const PLANS: Plan[] = [
  {
    name: 'Travel policy.md',
    by: 'Petra',
    visibility: 'public',
    tags: 'hr, policy',
    description: 'What we pay for and how to book it',
    lines: 40,
  },
  {
    name: 'Onboarding checklist.md',
    by: 'Grace',
    visibility: 'public',
    tags: 'hr, onboarding, checklist',
    description: 'The first two weeks, day by day',
    lines: 60,
  },
  {
    name: 'Brand colors.csv',
    project: 'Brand guidelines 2027',
    by: 'Ines',
    visibility: 'team',
    tags: 'brand, design',
    description: 'Every color with its contrast on white and on ink',
    lines: 120,
  },
  {
    name: 'Article numbers.csv',
    project: 'Warehouse migration',
    by: 'Luca',
    visibility: 'team',
    tags: 'migration, data',
    description: 'Old and new numbers in two columns',
    lines: 9000,
  },
  {
    name: 'Roll-back plan.md',
    project: 'Warehouse migration',
    by: 'Samuel',
    visibility: 'private',
    tags: 'migration',
    description: 'Who does what if the dry run lied',
    lines: 35,
    share: ['Tariq', 'Maya'],
  },
  {
    name: 'Sign-up test report.md',
    project: 'Customer portal relaunch',
    by: 'Aiko',
    visibility: 'team',
    tags: 'portal, tests, sign-up',
    description: 'Tested with all three currencies',
    lines: 220,
  },
  {
    name: 'Salary bands.csv',
    by: 'Petra',
    visibility: 'private',
    tags: 'hr',
    description: 'For the two open positions',
    lines: 12,
    share: ['Maya'],
  },
  {
    name: 'Board report, draft.md',
    project: 'Quarterly report',
    by: 'Sofia',
    visibility: 'team',
    tags: 'report',
    description: 'Numbers are final, the stories are not',
    lines: 150,
  },
];

export async function uploadDocuments(find: (first: string) => DemoPerson, projects: DemoProject[]): Promise<void> {
  for (const plan of PLANS) {
    const form = new FormData();
    form.set('description', plan.description);
    form.set('visibility', plan.visibility);
    form.set('tags', plan.tags);
    if (plan.project) form.set('project', getProjectId(projects, plan.project));
    const line = plan.name.endsWith('.csv') ? 'column one,column two,column three\n' : 'A line of sample text.\n';
    form.set('file', new Blob([line.repeat(plan.lines)], { type: 'text/plain' }), plan.name);
    const { _id } = await find(plan.by).client.upload<{ _id: string }>('/documents/upload', form);
    if (plan.share)
      await find(plan.by).client.post(`/documents/${_id}/share`, {
        userIds: plan.share.map((first) => find(first).id),
      });
  }
}
