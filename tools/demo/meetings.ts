import type { DemoPerson } from './people.ts';
import { type DemoProject, getProjectId } from './projects.ts';

type Plan = {
  title: string;
  type: string;
  by: string;
  with: string[];
  day: number;
  at: [hours: number, minutes: number];
  minutes: number;
  location: string;
  repeats?: 'weekly';
  project?: string;
  notes?: string;
};

const PLANS: Plan[] = [
  {
    title: 'Kick-off: warehouse migration',
    project: 'Warehouse migration',
    type: 'team-meeting',
    by: 'Tariq',
    with: ['Rui', 'Samuel', 'Luca', 'Ana', 'Maya'],
    day: -12,
    at: [9, 0],
    minutes: 60,
    location: 'Room Linden',
    notes: 'Scope is stock and open orders; history stays readable in the old system.',
  },
  {
    title: 'Portal retrospective',
    project: 'Customer portal relaunch',
    type: 'retrospective',
    by: 'Jonas',
    with: ['Lena', 'Aiko', 'Noah', 'Maya'],
    day: -5,
    at: [15, 0],
    minutes: 60,
    location: 'Room Ahorn',
    notes: 'Keep the short reviews. Fewer meetings on Fridays.',
  },
  {
    title: 'Brand handover',
    type: 'other',
    by: 'Hanna',
    with: ['Ines', 'Lena', 'Chiara', 'Sofia', 'Oliver', 'Maya'],
    day: -1,
    at: [16, 0],
    minutes: 60,
    location: '',
  },
  {
    title: 'Portal stand-up',
    project: 'Customer portal relaunch',
    type: 'standup',
    by: 'Jonas',
    with: ['Lena', 'Aiko', 'Noah', 'Mikael', 'Zeynep', 'Maya'],
    day: 1,
    at: [9, 15],
    minutes: 15,
    location: '',
    repeats: 'weekly',
  },
  {
    title: 'Migration review',
    project: 'Warehouse migration',
    type: 'project-review',
    by: 'Tariq',
    with: ['Rui', 'Samuel', 'Jonas', 'Maya'],
    day: 1,
    at: [10, 30],
    minutes: 60,
    location: 'Room Linden',
  },
  {
    title: 'One-on-one with Jonas',
    type: 'one-on-one',
    by: 'Maya',
    with: ['Jonas'],
    day: 3,
    at: [9, 0],
    minutes: 30,
    location: '',
  },
  {
    title: 'Interviews: backend engineer',
    type: 'other',
    by: 'Tariq',
    with: ['Petra', 'Grace', 'Maya'],
    day: 4,
    at: [13, 0],
    minutes: 90,
    location: 'Room Eiche',
  },
  {
    title: 'Quarterly planning',
    type: 'team-meeting',
    by: 'Maya',
    with: ['Jonas', 'Tariq', 'Hanna', 'Lena', 'Zeynep', 'Sofia', 'Petra', 'Amélie'],
    day: 6,
    at: [14, 0],
    minutes: 120,
    location: 'Auditorium',
  },
];

/** Schedules meetings. Past ones require `ALLOW_PAST_MEETINGS`, which `npm start -- --demo` sets. */
export async function scheduleMeetings(find: (first: string) => DemoPerson, projects: DemoProject[]): Promise<void> {
  for (const plan of PLANS) {
    const organizer = find(plan.by);
    const start = new Date();
    start.setDate(start.getDate() + plan.day);
    start.setHours(plan.at[0], plan.at[1], 0, 0);
    const { _id } = await organizer.client.post<{ _id: string }>('/meetings', {
      title: plan.title,
      type: plan.type,
      startTime: start.toISOString(),
      endTime: new Date(start.getTime() + plan.minutes * 60_000).toISOString(),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      location: plan.location,
      meetingLink: `https://meet.example.org/${plan.title.toLowerCase().replace(/[^a-z]+/g, '-')}`,
      participants: plan.with.map((first) => find(first).id),
      ...(plan.project && { project: getProjectId(projects, plan.project) }),
      ...(plan.repeats && { isRecurring: true, recurringFrequency: plan.repeats }),
    });
    if (plan.day < 0) {
      if (plan.notes) await organizer.client.patch(`/meetings/${_id}`, { notes: plan.notes });
      continue;
    }
    for (const first of plan.with.slice(0, 2)) {
      await find(first).client.post(`/meetings/${_id}/respond`, {
        status: first === 'Aiko' ? 'tentative' : 'accepted',
      });
    }
  }
}
