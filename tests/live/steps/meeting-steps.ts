import { NotApplicableError, type Workspace } from '../workspace-state.ts';
import { call, removeFrom, type Steps } from './step.ts';

type Meeting = { title: string; notes: string; participants: { _id: string }[] };

const MEETING = { type: 'standup', meetingLink: 'https://meet.example.org/room' };
const SCOPES = ['this', 'following', 'all'];

/** Changes a random meeting; of a series, one, some, or all of its meetings. */
const changeMeeting = (createChange: (workspace: Workspace) => object) => (workspace: Workspace) => {
  const { users, meetings, pick } = workspace;
  return call(users.admin, 'PATCH', `/meetings/${pick(meetings)}?scope=${pick(SCOPES)}`, createChange(workspace));
};

const closeMeeting =
  (index: number) =>
  ({ users: { manager, member }, begunMeetings, createName }: Workspace) => {
    const decisions = [{ text: createName(), assignedTo: member.id }, { text: createName() }];
    return call(manager, 'POST', `/meetings/${begunMeetings[index]}/close`, { summary: createName(), decisions });
  };

/** Of the series, any occurrence. */
async function pickOccurrence({ users: { manager }, seriesId, pick }: Workspace): Promise<string> {
  const { data } = await call<{ data: { _id: string }[] }>(manager, 'GET', `/meetings?seriesId=${seriesId}`);
  return pick(data)._id;
}

export const MEETING_STEPS: Steps = {
  'schedule a meeting': async ({ users, projects, rooms, meetings, pick, createName, createTimes }) => {
    const { admin, manager, member, colleague, outsider } = users;
    const organizer = pick([admin, manager]);
    const fields = {
      title: createName(),
      ...createTimes(),
      participants: [pick([member, colleague, outsider]).id],
      project: pick([projects.main, null]),
      room: pick([rooms[0], null]),
    };
    meetings.push((await call(organizer, 'POST', '/meetings', { ...MEETING, ...fields }))._id);
  },
  'schedule a series': async ({ users: { manager, outsider, member }, meetings, createName, createTimes }) => {
    const times = createTimes();
    const recurringEndDate = new Date(Date.parse(times.startTime) + 2 * 86_400_000).toISOString().slice(0, 10);
    const series = { isRecurring: true, recurringFrequency: 'daily', recurringEndDate };
    const body = { ...MEETING, ...times, ...series, title: createName(), participants: [outsider.id, member.id] };
    meetings.push((await call(manager, 'POST', '/meetings', body))._id);
  },
  'rename a meeting': changeMeeting(({ createName }) => ({ title: createName() })),
  'move a meeting': changeMeeting(({ createTimes }) => createTimes()),
  'relocate a meeting': changeMeeting(({ createName }) => ({ location: createName() })),
  'change the project of a meeting': changeMeeting(({ projects, pick }) => ({
    project: pick([projects.main, projects.other, null]),
  })),
  'change the room of a meeting': async ({ users: { manager }, meetings, rooms, pick }) => {
    const [meeting] = meetings;
    if (!meeting) throw new NotApplicableError('No meeting');
    return call(manager, 'PATCH', `/meetings/${meeting}`, { room: pick([rooms[0], null]) });
  },
  'change participants': async (workspace) => {
    const { users, meetings, pick } = workspace;
    const candidates = [users.member, users.colleague, users.outsider, users.nora].map(({ id }) => id);
    const first = pick(candidates);
    const participants = [...new Set([first, pick(candidates)])];
    return call(users.admin, 'PATCH', `/meetings/${pick(meetings)}?scope=${pick(SCOPES)}`, { participants });
  },
  'change an occurrence': async (workspace) => {
    const id = await pickOccurrence(workspace);
    const change = { title: workspace.createName(), agendaItems: [{ title: workspace.createName(), minutes: 5 }] };
    return call(workspace.users.manager, 'PATCH', `/meetings/${id}?scope=this`, change);
  },
  'invite a guest to an occurrence': async (workspace) => {
    const { users } = workspace;
    const id = await pickOccurrence(workspace);
    const { participants } = await call<Meeting>(users.manager, 'GET', `/meetings/${id}`);
    const ids = new Set([...participants.map(({ _id }) => _id), users.outsider.id]);
    return call(users.manager, 'PATCH', `/meetings/${id}?scope=this`, { participants: [...ids] });
  },
  'respond to a meeting': async ({ users: { member, colleague, outsider }, pick }) => {
    const user = pick([member, colleague, outsider]);
    type Listed = { _id: string; abilities: { respond: boolean } };
    const { data } = await call<{ data: Listed[] }>(user, 'GET', '/meetings?timeFilter=upcoming&limit=50');
    const meeting = pick(data.filter(({ abilities }) => abilities.respond));
    const status = pick(['accepted', 'declined', 'tentative']);
    return call(user, 'POST', `/meetings/${meeting._id}/respond?scope=${pick(['this', 'all'])}`, { status });
  },
  'cancel a meeting': async ({ users: { admin }, meetings, pick }) => {
    const meeting = pick(meetings.slice(3));
    await call(admin, 'DELETE', `/meetings/${meeting}?scope=all`);
    removeFrom(meetings, meeting);
  },
  'cancel an occurrence': async (workspace) => {
    const { users, meetings, seriesId, pick } = workspace;
    type Listed = { data: { _id: string }[] };
    const { data } = await call<Listed>(users.manager, 'GET', `/meetings?seriesId=${seriesId}`);
    const occurrence = pick(data.filter(({ _id }) => !meetings.includes(_id)));
    return call(users.manager, 'DELETE', `/meetings/${occurrence._id}?scope=this`);
  },
  'write notes': async ({ users: { manager }, begunMeetings, meetings, pick, createName }) => {
    const id = pick([...begunMeetings, meetings[0] ?? '']);
    const { notes } = await call<Meeting>(manager, 'GET', `/meetings/${id}`);
    return call(manager, 'PUT', `/meetings/${id}/notes`, { text: createName(), base: notes });
  },
  'write a summary': ({ users: { manager }, begunMeetings, pick, createName }) =>
    call(manager, 'PATCH', `/meetings/${pick(begunMeetings)}`, { summary: createName() }),
  'change the agenda': changeMeeting(({ createName, users }) => ({
    agendaItems: [{ title: createName(), minutes: 10, who: users.member.id }],
  })),
  'close a meeting of a project': closeMeeting(0),
  'close a meeting without a project': closeMeeting(1),
  'reopen a meeting': async ({ users: { manager }, begunMeetings: [id] }) => {
    const { closedAt } = await call<{ closedAt: string | null }>(manager, 'GET', `/meetings/${id}/closing`);
    if (closedAt === null) throw new NotApplicableError('The meeting is not closed');
    return call(manager, 'DELETE', `/meetings/${id}/close`);
  },
  'settle a decision': async ({ users: { manager }, pick }) => {
    type Decision = { _id: string; meeting: { _id: string }; abilities: { settle: boolean } };
    const { data } = await call<{ data: Decision[] }>(manager, 'GET', '/meetings/decisions?limit=50');
    const { _id, meeting } = pick(data.filter(({ abilities }) => abilities.settle));
    return call(manager, 'PATCH', `/meetings/${meeting._id}/decisions/${_id}`, { done: true });
  },
  'create a room': async ({ users: { admin }, rooms, createName }) => {
    rooms.push((await call(admin, 'POST', '/meetings/rooms', { name: createName(), size: 3 }))._id);
  },
  'rename a room': ({ users: { admin }, rooms, pick, createName }) =>
    call(admin, 'PATCH', `/meetings/rooms/${pick(rooms)}`, { name: createName() }),
  'change who can book a room': ({ users: { admin }, rooms, departments, pick }) =>
    call(admin, 'PATCH', `/meetings/rooms/${rooms[1]}`, {
      size: pick([2, 3, 5]),
      departments: pick([[departments.design], []]),
    }),
  'delete a room': async ({ users: { admin }, rooms, pick }) => {
    const room = pick(rooms.slice(2));
    await call(admin, 'DELETE', `/meetings/rooms/${room}`);
    removeFrom(rooms, room);
  },
};
