import { buildInvitation, tokenIn } from '../../workspace/builders.ts';
import { PASSWORD, signIn } from '../../workspace/workspace.ts';
import { NotApplicableError, type Workspace } from '../workspace-state.ts';
import { call, type Steps } from './step.ts';

const LAST_NAMES = ['Åberg', 'Aalto', 'Zorn', 'Đặng', 'berg'];

export const USER_STEPS: Steps = {
  'rename yourself': ({ users: { member, manager, outsider, colleague }, pick, createName }) =>
    call(pick([member, manager, outsider, colleague]), 'PATCH', '/users/profile', {
      firstName: createName(),
      lastName: pick(LAST_NAMES),
    }),
  'rename a user': ({ users: { admin, nora, otto, paula }, pick, createName }) =>
    call(admin, 'PATCH', `/users/${pick([nora, otto, paula]).id}`, { firstName: createName() }),
  'change a profile': ({ users: { member, colleague }, pick, createName }) =>
    call(pick([member, colleague]), 'PATCH', '/users/profile', { bio: createName(), location: 'Berlin' }),
  'change skills': ({ users: { admin, nora, member }, pick, createName }) =>
    call(admin, 'PATCH', `/users/${pick([nora, member]).id}`, { skills: [createName()] }),
  'change preferences': ({ users: { member }, pick }) =>
    call(member, 'PATCH', '/users/profile/preferences', { reminderMinutes: pick([5, 20, 30, 40]) }),
  'change settings of notifications': ({ users: { member }, pick }) =>
    call(member, 'PATCH', '/users/profile/notices', { digestTimes: [pick(['07:00', '08:30', '12:15'])] }),
  'change a role': async ({ users: { admin, otto } }) => {
    const { role } = await call<{ role: string }>(admin, 'GET', `/users/${otto.id}`);
    return call(admin, 'PATCH', `/users/${otto.id}`, { role: role === 'member' ? 'project_manager' : 'member' });
  },
  'deactivate a user': setStatus('inactive'),
  'reactivate a user': setStatus('active'),
  'move a user to a department': ({ users: { admin, colleague, outsider, nora }, departments, pick }) =>
    call(admin, 'PATCH', `/users/${pick([colleague, outsider, nora]).id}`, {
      department: pick([departments.design, null]),
    }),
  'choose a department': ({ users: { outsider }, departments, pick }) =>
    call(outsider, 'PATCH', '/users/profile', { department: pick([departments.design, null]) }),
  'create a department': async ({ users: { admin }, emptyDepartments, createName }) => {
    emptyDepartments.push((await call(admin, 'POST', '/departments', { name: createName() }))._id);
  },
  'delete a department': async ({ users: { admin }, emptyDepartments }) => {
    const id = emptyDepartments.pop();
    if (id === undefined) throw new NotApplicableError('No department without users');
    return call(admin, 'DELETE', `/departments/${id}`);
  },
  'rename a department': ({ users: { admin }, departments, pick, createName }) =>
    call(admin, 'PATCH', `/departments/${pick([departments.design, departments.support])}`, { name: createName() }),
  // A department with users is deactivated.
  'deactivate a department': ({ users: { admin }, departments: { support } }) =>
    call(admin, 'DELETE', `/departments/${support}`),
  'reactivate a department': async ({ users: { admin }, departments: { support } }) => {
    const { isActive } = await call<{ isActive: boolean }>(admin, 'GET', `/departments/${support}`);
    if (isActive) throw new NotApplicableError('The department is active');
    return call(admin, 'PATCH', `/departments/${support}`, { isActive: true });
  },
  'invite a user': inviteUser,
  'resend an invitation': async (workspace) => {
    if (workspace.invitations.length === 0) await inviteUser(workspace);
    const { users, invitations, pick } = workspace;
    return call(users.admin, 'POST', `/auth/invites/${pick(invitations)._id}/resend`);
  },
  'revoke an invitation': async ({ users: { admin }, invitations }) => {
    const invitation = invitations.pop();
    if (!invitation) throw new NotApplicableError('No invitation');
    return call(admin, 'DELETE', `/auth/invites/${invitation._id}`);
  },
  'accept an invitation': acceptInvitation,
  'delete a user': async ({ users: { admin }, ...workspace }) => {
    const { data } = await call<{ data: { _id: string }[] }>(admin, 'GET', '/users?search=Invited&status=active');
    return call(admin, 'DELETE', `/users/${workspace.pick(data)._id}`);
  },
  'sign in on another device': ({ url, users: { member } }) => signIn(url, member.email, PASSWORD),
  'sign out on another device': async ({ users: { member }, pick }) => {
    const { data } = await call<{ data: { _id: string; current: boolean }[] }>(member, 'GET', '/auth/sessions');
    return call(member, 'DELETE', `/auth/sessions/${pick(data.filter(({ current }) => !current))._id}`);
  },
};

function setStatus(status: 'active' | 'inactive') {
  return async ({ users: { admin, vera } }: Workspace) => {
    const user = await call<{ status: string }>(admin, 'GET', `/users/${vera.id}`);
    if (user.status === status) throw new NotApplicableError('The user has this status');
    return call(admin, 'PATCH', `/users/${vera.id}`, { status });
  };
}

async function inviteUser({ users: { admin }, invitations, departments, createName }: Workspace): Promise<void> {
  const fields = { firstName: createName(), department: departments.design };
  const body = buildInvitation(`invited-${fields.firstName.replace(/\W/g, '')}`, fields);
  const { _id, inviteUrl } = await call<{ _id: string; inviteUrl: string }>(admin, 'POST', '/auth/invite', body);
  invitations.push({ _id, token: tokenIn(inviteUrl) });
}

/** A resent invitation has another link. */
async function acceptInvitation(workspace: Workspace): Promise<void> {
  const { url, users, invitations } = workspace;
  await inviteUser(workspace);
  const invitation = invitations.pop();
  const body = JSON.stringify({ token: invitation?.token, password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/auth/accept-invite`, { method: 'POST', headers, body });
  if (response.status !== 201) throw new Error(`${users.admin.name}: ${response.status} ${await response.text()}`);
}
