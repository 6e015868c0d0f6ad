import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it, jest } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { type Client, demand, send, uploadForm } from '../flows/workspace.ts';
import { dialog, type Person, toast } from './person.ts';
import { setUpTestEnvironment } from './test-environment.ts';

jest.setTimeout(240_000);

const stage = setUpTestEnvironment();

type Project = { jonas: Client; lena: Client; project: string; name: string };

/** A project of its own that Jonas manages, with Lena in it. */
async function buildProject(): Promise<Project> {
  const [jonas, lena] = await Promise.all([stage.someone('Jonas', 'project_manager'), stage.someone('Lena', 'member')]);
  const name = `Harbour ${stage.word()}`;
  const body = {
    name,
    description: name,
    projectManager: jonas.id,
    teamMembers: [lena.id],
    priority: 'high',
    status: 'in-progress',
  };
  const { _id: project } = await demand(stage.admin.call<{ _id: string }>('POST', '/projects', body), 201);
  return { jonas, lena, project, name };
}

const upload = (client: Client, name: string, fields: Record<string, string> = {}) =>
  demand(
    send<{ _id: string }>(`${stage.system.url}/api/documents/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
      body: uploadForm(name, { visibility: 'public', ...fields }),
    }),
    201,
  );

const tomorrow = (minutes: number) => new Date(Date.now() + 864e5 + minutes * 60_000).toISOString();

const meet = (organiser: Client, title: string, fields: Record<string, unknown>) =>
  demand(
    organiser.call('POST', '/meetings', {
      title,
      type: 'team-meeting',
      startTime: tomorrow(0),
      endTime: tomorrow(30),
      meetingLink: 'https://meet.example.org/harbour',
      ...fields,
    }),
    201,
  );

/** Somebody's browser at the form of the project, in which something was typed. */
async function atTheForm({
  jonas,
  project,
  name,
}: Project): Promise<{ person: Person; form: Locator; question: Locator }> {
  const person = await stage.sit(jonas, `/progress/${project}`);
  await person.page.getByRole('heading', { name }).waitFor();
  await person.page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = dialog(person, 'Edit Project');
  await form.getByLabel('Description').fill('Typed, and then thought better of');
  return { person, form, question: person.page.getByRole('alertdialog') };
}

describe('a project that is deleted over changes which were typed', () => {
  it('is gone without a question about the changes, and its page is no place to come back to', async () => {
    const { person, form, question } = await atTheForm(await buildProject());
    await form.getByRole('button', { name: 'Delete Project' }).click();
    await question.getByRole('button', { name: 'Delete Project' }).click();
    await toast(person.page, 'Project deleted successfully');
    await person.page.waitForURL('**/progress');
    expect(await question.count()).toBe(0);
    expect(await form.count()).toBe(0);
  });

  it('keeps what was typed when it is not deleted after all', async () => {
    const { form, question } = await atTheForm(await buildProject());
    await form.getByRole('button', { name: 'Delete Project' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Description').inputValue()).toBe('Typed, and then thought better of');
  });
});

describe('the page of a project', () => {
  it('names its own next meeting and latest document, behind any number of others, and leads to those alone', async () => {
    const { jonas, lena, project, name } = await buildProject();
    await upload(jonas, 'harbour-plan.txt', { project });
    await meet(jonas, 'Harbour walk', {
      project,
      participants: [lena.id],
      startTime: tomorrow(600),
      endTime: tomorrow(630),
    });
    const others = Array.from({ length: 105 }, (_, number) => number);
    const before = { participants: [lena.id] };
    // One after the other, since few uploads of a person may run at once.
    await Promise.all([
      others.reduce<Promise<unknown>>((last, n) => last.then(() => upload(jonas, `other-${n}.txt`)), Promise.resolve()),
      others.reduce<Promise<unknown>>(
        (last, n) => last.then(() => meet(jonas, `Other ${n}`, before)),
        Promise.resolve(),
      ),
    ]);
    const person = await stage.sit(lena, `/progress/${project}`);
    const { page } = person;
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

  it('leads to its own conversation, behind a hundred others', async () => {
    const { jonas, lena, project, name } = await buildProject();
    const found = async () => {
      type Listed = { data: { _id: string; title: string | null }[] };
      const { body } = await lena.call<Listed>('GET', '/chat/conversations?limit=100');
      return body.data.find(({ title }) => title === name)?._id;
    };
    const conversation = await waitFor(found, { what: 'the conversation of the project' });
    const open = (creator: Client, number: number) => {
      const title = `channel-${stage.word().toLowerCase()}-${number}`;
      const body = { type: 'group', title, participants: [lena.id] };
      return demand(creator.call('POST', '/chat/conversations', body), 201);
    };
    // A user opens at most a hundred groups a day.
    for (let number = 0; number < 7; number++)
      await Promise.all(Array.from({ length: 15 }, () => open(number % 2 ? lena : jonas, number)));
    expect(await found()).toBeUndefined();
    const { page } = await stage.sit(lena, `/progress/${project}`);
    await page.getByRole('link', { name: /^Conversation No messages yet/ }).click();
    await page.waitForURL(`**/chat?c=${conversation}`);
  });
});
