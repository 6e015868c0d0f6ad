import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { uploadForm } from '../workspace/builders.ts';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import { type BrowserUser, dialog, toast } from './browser-user.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

type Project = { jonas: Client; lena: Client; project: string; name: string };

/** Creates a project that Jonas manages, with Lena as a member. */
async function createProject(): Promise<Project> {
  const [jonas, lena] = await Promise.all([
    environment.createUser('Jonas', 'project_manager'),
    environment.createUser('Lena', 'member'),
  ]);
  return { jonas, lena, ...(await environment.createProject(jonas, { teamMembers: [lena.id] })) };
}

const upload = (client: Client, name: string, fields: Record<string, string> = {}) =>
  expectStatus(
    send<{ _id: string }>(`${environment.system.url}/api/documents/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
      body: uploadForm(name, { visibility: 'public', ...fields }),
    }),
    201,
  );

const tomorrow = (minutes: number) => new Date(Date.now() + 864e5 + minutes * 60_000).toISOString();

const createMeeting = (organizer: Client, title: string, fields: Record<string, unknown>) =>
  expectStatus(
    organizer.call('POST', '/meetings', {
      title,
      type: 'team-meeting',
      startTime: tomorrow(0),
      endTime: tomorrow(30),
      meetingLink: 'https://meet.example.org/harbour',
      ...fields,
    }),
    201,
  );

/** Opens the project's form and types a description. */
async function openProjectForm({
  jonas,
  project,
  name,
}: Project): Promise<{ user: BrowserUser; form: Locator; confirmation: Locator }> {
  const user = await environment.openPage(jonas, `/progress/${project}`);
  await user.page.getByRole('heading', { name }).waitFor();
  await user.page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = dialog(user, 'Edit Project');
  await form.getByLabel('Description').fill('Typed, and then thought better of');
  return { user, form, confirmation: user.page.getByRole('alertdialog') };
}

describe('deleting a project with unsaved changes', () => {
  it('does not ask about the changes, and leads to the list of projects', async () => {
    const { user, form, confirmation } = await openProjectForm(await createProject());
    await form.getByRole('button', { name: 'Delete Project' }).click();
    await confirmation.getByRole('button', { name: 'Delete Project' }).click();
    await toast(user.page, 'Project deleted successfully');
    await user.page.waitForURL('**/progress');
    expect(await confirmation.count()).toBe(0);
    expect(await form.count()).toBe(0);
  });

  it('keeps the input if the deletion is canceled', async () => {
    const { form, confirmation } = await openProjectForm(await createProject());
    await form.getByRole('button', { name: 'Delete Project' }).click();
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await confirmation.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Description').inputValue()).toBe('Typed, and then thought better of');
  });
});

describe('the project page', () => {
  it('stays where it is when the notification levels arrive', async () => {
    const { jonas, project } = await createProject();
    const user = await environment.openPage(jonas);
    const { page } = user;
    await page.setViewportSize({ width: 412, height: 823 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/users/profile/notices/levels', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${user.base}/progress/${project}`);
    const about = page.getByRole('region', { name: 'About the project' });
    await about.waitFor();
    const before = await about.boundingBox();
    release();
    await page.getByRole('main').getByRole('button', { name: 'Notifications', disabled: false }).waitFor();
    expect(await about.boundingBox()).toEqual(before);
  });

  it("shows the project's next meeting and latest document among many others, and links to its lists", async () => {
    const { jonas, lena, project, name } = await createProject();
    await upload(jonas, 'harbour-plan.txt', { project });
    await createMeeting(jonas, 'Harbour walk', {
      project,
      participants: [lena.id],
      startTime: tomorrow(600),
      endTime: tomorrow(630),
    });
    const others = Array.from({ length: 105 }, (_, number) => number);
    const meetingFields = { participants: [lena.id] };
    // Sequential, because the number of concurrent uploads per user is limited.
    await Promise.all([
      others.reduce<Promise<unknown>>((last, n) => last.then(() => upload(jonas, `other-${n}.txt`)), Promise.resolve()),
      others.reduce<Promise<unknown>>(
        (last, n) => last.then(() => createMeeting(jonas, `Other ${n}`, meetingFields)),
        Promise.resolve(),
      ),
    ]);
    const user = await environment.openPage(lena, `/progress/${project}`);
    const { page } = user;
    await page.getByRole('link', { name: /^Documents 1, latest harbour-plan/ }).click();
    await page.getByText(`Documents of ${name}`).waitFor();
    await page.getByRole('article', { name: 'harbour-plan' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.goBack();
    await page.getByRole('link', { name: /^Meetings Next: Harbour walk/ }).click();
    await page.getByText(`Meetings of ${name}`).waitFor();
    await page.getByRole('article', { name: 'Harbour walk' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page
      .getByRole('article', { name: /^Other/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('project')).toBeNull();
  });

  it("links to the project's conversation even if a hundred others are more recent", async () => {
    const { jonas, lena, project, name } = await createProject();
    const findConversation = async () => {
      type Listed = { data: { _id: string; title: string | null }[] };
      const { body } = await lena.call<Listed>('GET', '/chat/conversations?limit=100');
      return body.data.find(({ title }) => title === name)?._id;
    };
    const conversation = await waitFor(findConversation, {
      description: 'the conversation of the project to be created',
    });
    const createChannel = (creator: Client, number: number) => {
      const title = `channel-${environment.uniqueWord().toLowerCase()}-${number}`;
      const body = { type: 'group', title, participants: [lena.id] };
      return expectStatus(creator.call('POST', '/chat/conversations', body), 201);
    };
    // A user can create at most a hundred groups per day.
    for (let number = 0; number < 7; number++)
      await Promise.all(Array.from({ length: 15 }, () => createChannel(number % 2 ? lena : jonas, number)));
    expect(await findConversation()).toBeUndefined();
    const { page } = await environment.openPage(lena, `/progress/${project}`);
    await page.getByRole('link', { name: /^Conversation No messages yet/ }).click();
    await page.waitForURL(`**/chat?c=${conversation}`);
  });
});
