import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams } from '../fields.ts';
import { project, TEAM_IS_FULL } from './projects.ts';

const teamMemberBody = z.object({ userId: id });

export const addTeamMember = endpoint({
  method: 'POST',
  path: '/projects/:id/team-members',
  summary:
    'Add a user to the team (administrators and project managers); the user and the project manager are notified. Project managers cannot add themselves',
  access: 'user',
  params: idParams,
  body: teamMemberBody,
  response: project,
  status: 200,
  errors: ['forbidden', 'not_found'],
  rules: ['Team members must be active users', TEAM_IS_FULL],
});

export const removeTeamMember = endpoint({
  method: 'DELETE',
  path: '/projects/:id/team-members',
  summary: 'Remove a team member, whose open tasks become unassigned (administrators and project managers)',
  access: 'user',
  params: idParams,
  body: teamMemberBody,
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const removeTeamMemberByPath = endpoint({
  method: 'DELETE',
  path: '/projects/:id/team-members/:userId',
  summary: 'Remove a team member; the person is in the path',
  access: 'user',
  params: z.object({ id, userId: id }),
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});
