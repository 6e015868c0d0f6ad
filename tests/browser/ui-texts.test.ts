import { waitFor } from '@atrium/test-kit/wait-for';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectStatus } from '../workspace/workspace.ts';
import { choose, PASSWORD, pick } from './browser-user.ts';
import { countFailures, delayResponse, failWithoutMessage } from './mock-responses.ts';
import { setUpTestEnvironment } from './test-environment.ts';
import { describeChatUiTexts } from './ui-texts/chat.ts';
import { describeDocumentUiTexts } from './ui-texts/documents.ts';
import { button, expectTexts } from './ui-texts/expect-texts.ts';
import { describeMeetingUiTexts } from './ui-texts/meetings.ts';

// Texts about past meetings require them.
const environment = setUpTestEnvironment({
  env: { ALLOW_PAST_MEETINGS: 'true' },
  expectedLogErrors: [/Client error reported/],
});

/** Opens a page as the administrator of an initially empty workspace. */
const openAdminPage = async (path: string): Promise<Page> => (await environment.openPage(environment.admin, path)).page;
const openSignedOutPage = async (path: string): Promise<Page> => (await environment.openGuestPage(path)).page;

const visit = (page: Page, path: string) => page.goto(`${environment.system.url}${path}`);
const press = (page: Page, name: string) => button(page, name).click();

describe('sign-in UI texts', () => {
  it('match the specification on an untouched and on a rejected form', async () => {
    const guest = await openSignedOutPage('/login');
    await expectTexts(guest, 'Welcome back', 'Sign in to your account to continue', 'Forgot your password?');
    await press(guest, 'Sign In');
    await expectTexts(guest, 'Email is required', 'Password is required');
    await guest.getByLabel('Email').fill('nobody');
    await guest.getByLabel('Password', { exact: true }).fill('short');
    await press(guest, 'Sign In');
    await expectTexts(guest, 'Please enter a valid email address', 'Password must be at least 6 characters');
    await guest.getByLabel('Email').fill('nobody@example.org');
    await guest.getByLabel('Password', { exact: true }).fill('Not#Right1');
    await press(guest, 'Sign In');
    await expectTexts(guest, 'Login failed', 'Invalid credentials');
  });

  it('match the specification during and after sign-in', async () => {
    const user = await environment.createUser('Texta', 'member');
    const guest = await openSignedOutPage('/login');
    await guest.getByLabel('Email').fill(user.email);
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await delayResponse(guest, /\/auth\/login$/, async () => {
      await press(guest, 'Sign In');
      await expectTexts(guest, 'Signing in...');
    });
    await expectTexts(guest, 'Login successful', 'Welcome back!', 'Team Dashboard');
  });
});

describe('invitation UI texts', () => {
  it('match the specification next to the fields, and during and after submission', async () => {
    const body = { email: 'tom@example.org', firstName: 'Tom', lastName: 'Example', role: 'member' };
    const { inviteUrl } = await expectStatus(
      environment.admin.call<{ inviteUrl: string }>('POST', '/auth/invite', body),
      201,
    );
    const link = new URL(inviteUrl);
    const guest = await openSignedOutPage(`${link.pathname}${link.search}`);
    const password = guest.getByLabel('Password', { exact: true });
    const confirmation = guest.getByLabel('Confirm password', { exact: true });
    const join = guest.getByRole('button', { name: 'Accept Invitation & Join Team' });
    await join.click();
    await expectTexts(guest, 'Password is required', 'Please confirm your password');
    await confirmation.fill('Something#Else1');
    for (const [weakPassword, error] of WEAK_PASSWORDS) {
      await password.fill(weakPassword);
      await join.click();
      await expectTexts(guest, error);
    }
    await password.fill(PASSWORD);
    await join.click();
    await expectTexts(guest, 'Passwords do not match');
    await confirmation.fill(PASSWORD);
    await guest.getByLabel(/^Phone/).fill('012');
    await join.click();
    await expectTexts(guest, 'Please enter a valid phone number');
    await guest.getByLabel(/^Phone/).fill('+4930123456');
    await delayResponse(guest, /\/auth\/accept-invite$/, async () => {
      await join.click();
      await expectTexts(guest, 'Activating Account...');
    });
    await expectTexts(
      guest,
      'Welcome!',
      'Your account has been activated. Welcome to the team, Tom!',
      'Team Dashboard',
    );
  });
});

const WEAK_PASSWORDS = [
  ['Sh#1', 'Password must be at least 8 characters long'],
  [`Aa1#${'x'.repeat(97)}`, 'Password must not exceed 100 characters'],
  ['WORKING#DAY1', 'Password must contain at least one lowercase letter'],
  ['working#day1', 'Password must contain at least one uppercase letter'],
  ['Working#Day', 'Password must contain at least one number'],
  ['WorkingDay1', 'Password must contain at least one special character (@$!%*?&#)'],
] as const;

describe('UI texts of an empty workspace', () => {
  it('match the specification on the dashboard', async () => {
    const page = await openAdminPage('/');
    await expectTexts(
      page,
      'Team Dashboard',
      'Active Projects',
      'Completed Projects',
      'Overdue Projects',
      'Team Members',
    );
    await expectTexts(page, 'Recent Projects', 'Upcoming Meetings', 'View All');
    for (const name of ['Create Your First Project', 'New Project'])
      await page.getByRole('button', { name, exact: true }).first().waitFor();
    await expectTexts(page, 'Schedule Meeting');
  });

  it('match the specification on the tracker', async () => {
    const page = await openAdminPage('/progress');
    await expectTexts(page, 'Progress Tracker', 'No projects found', 'Create your first project to get started');
    await expectTexts(page, 'Completed', 'Active', 'Planning', 'Paused', 'Invite Member');
    await page.getByRole('button', { name: /All Status/ }).click();
    await page.getByRole('option', { name: 'All Status', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /All Priority/ }).click();
    await page.getByRole('option', { name: 'All Priority', exact: true }).waitFor();
    await page.getByRole('option', { name: 'High/Urgent', exact: true }).click();
    await expectTexts(page, 'No projects found', 'Try adjusting your filters');
  });
});

describe('a dashboard with meetings', () => {
  it('links to all meetings', async () => {
    const hour = 3_600_000;
    const body = {
      title: 'Stand-up',
      type: 'standup',
      startTime: new Date(Date.now() + hour).toISOString(),
      endTime: new Date(Date.now() + 2 * hour).toISOString(),
      meetingLink: 'https://meet.example.org/texts',
      participants: [environment.admin.id],
    };
    await expectStatus(environment.admin.call('POST', '/meetings', body), 201);
    const page = await openAdminPage('/');
    await page.getByRole('link', { name: 'View All Meetings', exact: true }).click();
    await page.waitForURL('**/meetings');
  });
});

describe('the default error of an action whose response has no message', () => {
  // These tests provoke errors.
  beforeEach(() => environment.expectErrors(/status of 500/));

  it.each([
    ['Failed to load projects', '/progress', /\/api\/projects\?/],
    ['Failed to load departments', '/departments', /\/api\/departments\?/],
    ['Failed to load team members', '/team', /\/api\/users\?/],
    ['Failed to load dashboard data', '/', /\/api\/projects(\/stats|\?)/],
  ] as const)('is "%s" on %s', async (text, path, call) => {
    const page = await openAdminPage('/settings');
    await failWithoutMessage(page, 'GET', call, async () => {
      await visit(page, path);
      await expectTexts(page, text);
    });
  });

  it('is "Failed to create project"', async () => {
    const member = await environment.createUser('Texta', 'member');
    const page = await openAdminPage('/progress');
    await press(page, 'New Project');
    const form = page.getByRole('dialog', { name: 'Create New Project' });
    await form.getByLabel('Project title').fill('Rejected');
    await form.getByLabel('Description').fill('Without a message');
    await choose(form, page, 'Priority', 'Low');
    await choose(form, page, 'Initial status', 'In Progress');
    await form.getByRole('combobox', { name: /Project manager/ }).fill('Maya');
    await page.getByRole('option', { name: /Maya/ }).first().click();
    await pick(form, 'Team members', [member.name]);
    await failWithoutMessage(page, 'POST', /\/api\/projects$/, async () => {
      await form.getByRole('button', { name: /Create Project/ }).click();
      await expectTexts(page, 'Failed to create project');
    });
    expect(await form.getByLabel('Project title').inputValue()).toBe('Rejected');
  });

  it('is "Failed to update project" and "Failed to delete project"; deleting asks first and confirms', async () => {
    const name = `Texts ${environment.uniqueWord()}`;
    const body = {
      name,
      description: 'To fail with',
      projectManager: environment.admin.id,
      priority: 'low',
      status: 'in-progress',
    };
    const { _id: project } = await expectStatus(
      environment.admin.call<{ _id: string }>('POST', '/projects', body),
      201,
    );
    const page = await openAdminPage('/');
    await page
      .getByRole('button', { name: new RegExp(name) })
      .first()
      .click();
    const edit = page.getByRole('dialog', { name: 'Edit Project' });
    await edit.getByLabel('Description').fill('Changed');
    await failWithoutMessage(page, 'PATCH', /\/api\/projects\//, async () => {
      await edit.getByRole('button', { name: /Update/ }).click();
      await expectTexts(page, 'Failed to update project');
    });
    await expectTexts(page, 'Danger Zone');
    await edit.getByRole('button', { name: 'Delete Project' }).click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation
      .getByText('Are you sure you want to delete this project? This action cannot be undone.')
      .waitFor();
    await failWithoutMessage(page, 'DELETE', /\/api\/projects\//, async () => {
      await confirmation.getByRole('button', { name: 'Delete Project' }).click();
      await expectTexts(page, 'Failed to delete project');
    });
    await confirmation.getByRole('button', { name: 'Delete Project' }).click();
    await expectTexts(page, 'Project deleted successfully');
    expect((await environment.admin.call('GET', `/projects/${project}`)).status).toBe(404);
  });

  it('is "Failed to save department" and "Failed to delete department"', async () => {
    const page = await openAdminPage('/departments');
    await press(page, 'Add Department');
    const form = page.getByRole('dialog', { name: 'Manage Departments' });
    await form.getByLabel('Department name').fill('Research');
    await failWithoutMessage(page, 'POST', /\/api\/departments$/, async () => {
      await form.getByRole('button', { name: 'Add Department' }).click();
      await expectTexts(page, 'Failed to save department');
    });
    await visit(page, '/departments');
    await press(page, 'Delete HR');
    const confirmation = page.getByRole('alertdialog');
    await failWithoutMessage(page, 'DELETE', /\/api\/departments\//, async () => {
      await confirmation.getByRole('button', { name: /Delete/ }).click();
      await expectTexts(page, 'Failed to delete department');
    });
  });

  it('is "Failed to send invitation"', async () => {
    const page = await openAdminPage('/user-management');
    await press(page, 'Invite User');
    const form = page.getByRole('dialog', { name: 'Invite Team Member' });
    await form.getByLabel('Email').fill('refused@example.org');
    await form.getByLabel('First name').fill('Rita');
    await form.getByLabel('Last name').fill('Rejected');
    await choose(form, page, 'Role', 'Member');
    await choose(form, page, 'Department', 'Design');
    await failWithoutMessage(page, 'POST', /\/api\/auth\/invite$/, async () => {
      await form.getByRole('button', { name: 'Send Invitation' }).click();
      await expectTexts(page, 'Failed to send invitation');
    });
  });

  it('is "Failed to update user" and "Failed to delete user"', async () => {
    const user = await environment.createUser('Texta', 'member');
    const page = await openAdminPage('/settings');
    const openUserAction = async (entry: RegExp) => {
      await visit(page, `/user-management?search=${user.name}`);
      await page.getByRole('button', { name: `Actions for ${user.name}` }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await openUserAction(/^Edit/);
    const form = page.getByRole('dialog', { name: 'Edit User' });
    await form.getByLabel('First name').fill('Texte');
    await failWithoutMessage(page, 'PATCH', /\/api\/users\//, async () => {
      await form.getByRole('button', { name: /Save|Update/ }).click();
      await expectTexts(page, 'Failed to update user');
    });
    await openUserAction(/^Delete/);
    await failWithoutMessage(page, 'DELETE', /\/api\/users\//, async () => {
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /Delete/ })
        .click();
      await expectTexts(page, 'Failed to delete user');
    });
  });

  it('is "Failed to update settings"', async () => {
    const page = await openAdminPage('/settings');
    await page.getByLabel('First name').fill('Maja');
    await failWithoutMessage(page, 'PATCH', /\/api\/users\/profile$/, async () => {
      await press(page, 'Save Changes');
      await expectTexts(page, 'Failed to update settings');
    });
  });

  it('comes with a Retry for each list of User Management', async () => {
    const page = await openAdminPage('/settings');
    const failureCounts = [/\/api\/users\?/, /\/api\/users\/stats/, /\/api\/departments\?/].map((call) =>
      countFailures(page, call),
    );
    await failWithoutMessage(page, 'GET', /\/api\/(users|departments)(\?|\/stats)/, async () => {
      await visit(page, '/user-management');
      await expectTexts(page, 'Failed to load users', 'Failed to load user stats', 'Failed to load departments');
      for (const name of ['Retry Users', 'Retry Stats', 'Retry Departments'])
        await page.getByRole('button', { name, exact: true }).waitFor();
      // The app retries once automatically; after that the user has to.
      await waitFor(async () => failureCounts.every((count) => count() >= 2), {
        description: 'the app to have tried twice',
      });
    });
    for (const name of ['Retry Users', 'Retry Stats', 'Retry Departments']) await press(page, name);
    await page.getByText('Failed to load departments').first().waitFor({ state: 'detached' });
  });
});

describe('the error text of a failure without a message', () => {
  it('matches the specification for the first administrator, an invitation, and a lost connection', async () => {
    environment.expectErrors(/status of 500/, /net::ERR/);
    const guest = await openSignedOutPage('/login');
    await guest.route(/\/api\/auth\/login$/, (route) => route.abort());
    await guest.getByLabel('Email').fill('nobody@example.org');
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(guest, 'Sign In');
    await expectTexts(guest, 'Network error - please check your connection');
    const required = JSON.stringify({ setupRequired: true, registration: 'invitation', setupTokenRequired: false });
    await guest.route(/\/api\/auth\/setup$/, (route) =>
      route.fulfill({ contentType: 'application/json', body: required }),
    );
    await visit(guest, '/login');
    await guest.getByLabel('First name').fill('Maya');
    await guest.getByLabel('Last name').fill('Okafor');
    await guest.getByLabel('Email').fill('other@example.org');
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
    await failWithoutMessage(guest, 'POST', /\/api\/auth\/register$/, async () => {
      await press(guest, 'Create administrator account');
      await expectTexts(guest, 'An error occurred');
    });
    await visit(guest, '/accept-invite?token=any');
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
    await failWithoutMessage(guest, 'POST', /\/api\/auth\/accept-invite$/, async () => {
      await press(guest, 'Accept Invitation & Join Team');
      await expectTexts(guest, 'Failed to accept invitation. Please try again.');
    });
  });
});

describe('specified texts that no form can show', () => {
  it.each([
    ['POST', '/projects', { budget: 'plenty' }, 'Budget must be a valid number'],
    ['POST', '/projects', { priority: 'extreme' }, 'Invalid priority value'],
    ['POST', '/projects', { projectManager: 'nobody' }, 'Invalid project manager selection'],
    ['POST', '/auth/refresh', {}, 'No refresh token available'],
    ['POST', '/auth/accept-invite', { token: '', password: PASSWORD }, 'Invalid invitation token'],
  ] as const)('are returned by %s %s', async (method, path, body, text) => {
    const response = await environment.admin.call<{ message: string | string[] }>(method, path, body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect([response.body.message].flat()).toContain(text);
  });
});

describe('decreasing progress', () => {
  it('is rejected with the specified text when the form is bypassed', async () => {
    const body = {
      name: `Texts ${environment.uniqueWord()}`,
      description: 'To fall',
      projectManager: environment.admin.id,
      priority: 'low',
      status: 'in-progress',
      progress: 40,
    };
    const { _id } = await expectStatus(environment.admin.call<{ _id: string }>('POST', '/projects', body), 201);
    await expectStatus(environment.admin.call('PATCH', `/projects/${_id}`, { progress: 40 }), 200);
    const { status, body: rejection } = await environment.admin.call('PATCH', `/projects/${_id}`, { progress: 20 });
    expect([status, rejection.message]).toEqual([409, 'Progress cannot decrease from 40% to 20%']);
  });
});

describeMeetingUiTexts(environment);
describeDocumentUiTexts(environment);
describeChatUiTexts(environment);

describe('error handling', () => {
  it('a screen that fails to render shows the fallback, reports the error, and offers a way out', async () => {
    // The screen fails on a project without most of its fields.
    environment.expectErrors(/^maya-okafor: console: TypeError: Cannot read properties of undefined \(reading '\w+'\)/);
    const page = await openAdminPage('/settings');
    const incompleteProjects = JSON.stringify({
      data: [{ _id: environment.admin.id, name: 'Half of a project' }],
      total: 1,
      page: 1,
      totalPages: 1,
    });
    await page.route(/\/api\/projects\?/, (route) =>
      route.fulfill({ contentType: 'application/json', body: incompleteProjects }),
    );
    const isReported = page.waitForRequest(/\/api\/client-errors$/);
    await visit(page, '/progress');
    await expectTexts(
      page,
      'Something went wrong',
      "We're sorry, but something unexpected happened. Our team has been notified.",
    );
    expect((await isReported).postDataJSON()).toMatchObject({ path: '/progress' });
    await page.unroute(/\/api\/projects\?/);
    await press(page, 'Refresh Page');
    // This text is on the screen regardless of the projects.
    await expectTexts(page, 'All projects and their progress');
    await page.route(/\/api\/projects\?/, (route) =>
      route.fulfill({ contentType: 'application/json', body: incompleteProjects }),
    );
    await visit(page, '/progress');
    await expectTexts(page, 'Return to Dashboard');
    await page.unroute(/\/api\/projects\?/);
    await press(page, 'Return to Dashboard');
    await expectTexts(page, 'Team Dashboard');
  });
});
