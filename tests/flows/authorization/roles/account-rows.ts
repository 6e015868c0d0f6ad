import { tokenIn } from '../../../workspace/builders.ts';
import { expectStatus, PASSWORD } from '../../../workspace/workspace.ts';
import { invitationBody, type RoleFixture, unique } from './role-fixture.ts';
import { adminOnly, allCallers, type Row, row, signedInUsers } from './row.ts';

const NEW_PASSWORD = 'Another#Day2';
const UNKNOWN_ID = '0'.repeat(24);

async function createResetToken({ actors: { admin }, make }: RoleFixture): Promise<string> {
  const user = await make.user();
  const response = admin.call<{ resetUrl: string }>('POST', `/users/${user.id}/reset-link`);
  return tokenIn((await expectStatus(response, 200)).resetUrl);
}

export const ACCOUNT_ROWS: readonly Row[] = [
  row('GET /auth/setup', allCallers(200)),
  row('POST /auth/login', allCallers(200), ({ actors }) => ({
    body: { email: actors.member.email, password: PASSWORD },
  })),
  row('POST /auth/register', allCallers(403), () => ({
    body: { email: `${unique('self')}@example.org`, password: PASSWORD, firstName: 'Sam', lastName: 'Self' },
  })),
  row('POST /auth/accept-invite', allCallers(201), async ({ make }) => ({
    body: { token: tokenIn((await make.invitation()).inviteUrl), password: PASSWORD },
  })),
  row('POST /auth/refresh', allCallers(200), async ({ actors, make }) => ({
    body: { refreshToken: await make.refreshToken(actors.member) },
  })),
  row('POST /auth/forgot-password', allCallers(202), () => ({ body: { email: `${unique('forgot')}@example.org` } })),
  row('POST /auth/reset-password', allCallers(200), async (fixture) => ({
    body: { token: await createResetToken(fixture), password: NEW_PASSWORD },
  })),
  row('POST /auth/change-password', signedInUsers(200), async ({ make }, who) => ({
    as: await make.sameRoleUser(who),
    body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
  })),
  row('POST /auth/logout', signedInUsers(204), async ({ make }, who) => ({ as: await make.sameRoleUser(who) })),
  row('POST /auth/sign-out-everywhere', signedInUsers(204), async ({ make }, who) => ({
    as: await make.sameRoleUser(who),
  })),
  row('GET /auth/sessions', signedInUsers(200)),
  row('DELETE /auth/sessions/:id', signedInUsers(204), async ({ make }, who) => {
    const as = await make.sameRoleUser(who);
    const response = await as?.call<{ data: { _id: string }[] }>('GET', '/auth/sessions');
    return { as, params: { id: response?.body.data[0]?._id ?? UNKNOWN_ID } };
  }),
  row('POST /auth/invite', adminOnly(201), () => ({ body: invitationBody() })),
  row('POST /auth/invites/check', adminOnly(200), ({ actors }) => ({ body: { emails: [actors.member.email] } })),
  row('GET /auth/invites', adminOnly(200)),
  row('POST /auth/invites/:id/resend', adminOnly(200), async ({ make }) => ({
    params: { id: (await make.invitation())._id },
  })),
  row('DELETE /auth/invites/:id', adminOnly(204), async ({ make }) => ({
    params: { id: (await make.invitation())._id },
  })),
  row('DELETE /users/:id/sessions', adminOnly(204), async ({ make }) => ({ params: { id: (await make.user()).id } })),
  row('POST /users/:id/reset-link', adminOnly(200), async ({ make }) => ({ params: { id: (await make.user()).id } })),
];
