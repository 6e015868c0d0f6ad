import type { Document } from '@atrium/proto-events/http/documents';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it, jest } from '@jest/globals';
import { type Client, demand, send, uploadForm } from '../flows/workspace.ts';
import { dialog, type Person, toast } from './person.ts';
import { setUpTestEnvironment } from './test-environment.ts';

jest.setTimeout(240_000);

const stage = setUpTestEnvironment();

/** A document of that person's, under a name that nobody else has. */
async function aDocument(owner: Client, fields: Record<string, string> = {}): Promise<{ id: string; name: string }> {
  const name = `Plan ${stage.word()}`;
  const { _id: id } = await demand(
    send<{ _id: string }>(`${stage.system.url}/api/documents/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
      body: uploadForm(`${name}.txt`, { name, ...fields }),
    }),
    201,
  );
  return { id, name };
}

/** A project that nobody else has, managed by that person. */
async function buildProject(manager: Client): Promise<{ project: string; name: string }> {
  const name = `Harbour ${stage.word()}`;
  const body = { name, description: name, projectManager: manager.id, priority: 'high', status: 'in-progress' };
  const { _id: project } = await demand(stage.admin.call<{ _id: string }>('POST', '/projects', body), 201);
  return { project, name };
}

const card = ({ page }: Person, name: string) => page.getByRole('article', { name });
const query = ({ page }: Person) => new URL(page.url()).search;

type Stats = { mostDownloaded: { _id: string; downloads: number }[] };
const downloadsOf = async ({ call }: Client, id: string) =>
  (await demand(call<Stats>('GET', '/documents/stats'), 200)).mostDownloaded.find(({ _id }) => _id === id)?.downloads;

describe('what is opened over a document', () => {
  it('stands in the address, where Back closes it, and is there for whoever gets the link', async () => {
    const lena = await stage.someone('Lena', 'member');
    const { id, name } = await aDocument(lena, { visibility: 'public' });
    const person = await stage.sit(lena, '/documents');
    const { page } = person;
    // What marks one's own is in sight beside a name of any length.
    const mark = card(person, name).getByText('(You)');
    const box = await mark.boundingBox();
    const foot = await mark.locator('../..').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((foot?.x ?? 0) + (foot?.width ?? 0) + 1);
    await card(person, name)
      .getByRole('button', { name: `Share ${name}` })
      .click();
    await dialog(person, 'Share Document').waitFor();
    expect(query(person)).toBe(`?share=${id}`);
    await page.goBack();
    await dialog(person, 'Share Document').waitFor({ state: 'detached' });
    expect(query(person)).toBe('');
    await card(person, name)
      .getByRole('button', { name: `Edit ${name}` })
      .click();
    expect(await dialog(person, 'Edit Document').getByLabel('Name').inputValue()).toBe(name);
    expect(query(person)).toBe(`?edit=${id}`);
    await page.keyboard.press('Escape');
    await dialog(person, 'Edit Document').waitFor({ state: 'detached' });
    expect(query(person)).toBe('');

    const omar = await stage.sit(await stage.someone('Omar', 'member'), `/documents?share=${id}`);
    await dialog(omar, 'Share Document').getByText(name).waitFor();
    await omar.page.goto(`${stage.system.url}/documents?edit=${id}`);
    await omar.page.getByText('Only the uploader and administrators can edit this document').waitFor();
    await omar.page.goto(`${stage.system.url}/documents?edit=65f0c0ffee00000000000000`);
    await omar.page.getByText('This document is not there any more').waitFor();
    await omar.page.keyboard.press('Escape');
    await omar.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(query(omar)).toBe('');
  });

  it('is no download, as pressing Download is', async () => {
    const lena = await stage.someone('Lena', 'member');
    const { id, name } = await aDocument(lena);
    const person = await stage.sit(lena, `/documents?share=${id}`);
    const { page } = person;
    await dialog(person, 'Share Document').getByText(name).waitFor();
    await page.goto(`${stage.system.url}/documents?edit=${id}`);
    await dialog(person, 'Edit Document').waitFor();
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await card(person, name)
      .getByRole('button', { name: `Download ${name}` })
      .click();
    await download;
    await waitFor(async () => (await downloadsOf(lena, id)) !== undefined, { what: 'the download to be counted' });
    expect(await downloadsOf(lena, id)).toBe(1);
  });

  it('has what was typed again after a reload, and takes a share back from whom it was given to', async () => {
    const [lena, omar] = await Promise.all([stage.someone('Lena', 'member'), stage.someone('Omar', 'member')]);
    const { id } = await aDocument(lena);
    await demand(lena.call('POST', `/documents/${id}/share`, { userIds: [omar.id] }), 200);
    const person = await stage.sit(lena, `/documents?edit=${id}`);
    const { page } = person;
    const form = dialog(person, 'Edit Document');
    await form.getByLabel('Description').fill('The way to the harbour');
    await page.reload();
    await form.getByText('What you typed here before has been restored.').waitFor();
    expect(await form.getByLabel('Description').inputValue()).toBe('The way to the harbour');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(page, 'Document updated successfully');
    await page.goto(`${stage.system.url}/documents?share=${id}`);
    const share = dialog(person, 'Share Document');
    await share.getByRole('button', { name: `Stop sharing with ${omar.name}` }).click();
    await share.getByRole('region', { name: 'Shared with' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await share.waitFor({ state: 'detached' });
    const after = await demand(lena.call<Document>('GET', `/documents/${id}?link=false`), 200);
    expect(after).toMatchObject({ description: 'The way to the harbour', sharedWith: [] });
  });
});

describe('a share with a department', () => {
  const aDepartment = async () => {
    const name = `Sales ${stage.word()}`;
    return { name, ...(await demand(stage.admin.call<{ _id: string }>('POST', '/departments', { name }), 201)) };
  };
  const moveTo = (person: Client, department: string | null) =>
    demand(stage.admin.call('PATCH', `/users/${person.id}`, { department }), 200);
  const more = async (person: Person, name: string, action: string) => {
    await card(person, name)
      .getByRole('button', { name: `More about ${name}` })
      .click();
    await person.page.getByRole('menuitem', { name: action }).click();
  };

  it('shows it at once to whoever is in it, comes in or goes, and is explained and ended from the card', async () => {
    const [lena, omar, nina] = await Promise.all(
      ['Lena', 'Omar', 'Nina'].map((first) => stage.someone(first, 'member')),
    );
    if (!lena || !omar || !nina) throw new Error('somebody is missing');
    const department = await aDepartment();
    await moveTo(omar, department._id);
    const { id, name } = await aDocument(lena);
    const [owner, inside, coming] = await Promise.all([
      stage.sit(lena, '/documents'),
      stage.sit(omar, '/documents'),
      stage.sit(nina, '/documents'),
    ]);
    await card(owner, name)
      .getByRole('button', { name: `Share ${name}` })
      .click();
    const share = dialog(owner, 'Share Document');
    await share.getByRole('combobox', { name: 'Department (optional)' }).fill(department.name);
    // Whoever is in it has its name beside theirs, in the list of people.
    await owner.page.getByRole('option', { name: department.name, exact: true }).click();
    await share.getByRole('button', { name: 'Share', exact: true }).click();
    await toast(owner.page, 'Document shared successfully');

    await card(inside, name).waitFor();
    await moveTo(nina, department._id);
    await card(coming, name).waitFor();
    await moveTo(omar, null);
    await card(inside, name).waitFor({ state: 'detached' });

    await more(coming, name, 'Why can I see this?');
    const own = dialog(coming, 'Why can I see this?');
    await own.getByText('You can open this document.').waitFor();
    const leads = own.getByRole('region', { name: 'Shares that lead to it' });
    await leads.getByText(`by ${lena.name}`).waitFor();
    expect(await leads.getByRole('button').count()).toBe(0);

    await more(owner, name, 'Why can somebody see this?');
    const why = dialog(owner, 'Why can somebody see this?');
    await why.getByRole('searchbox', { name: 'Search people' }).fill(nina.name);
    await why.getByRole('option', { name: nina.name }).click();
    await why.getByText(`${nina.name} can open this document.`).waitFor();
    await why.getByRole('button', { name: `Stop sharing with ${department.name}` }).click();
    await why.getByText(`${nina.name} cannot open this document.`).waitFor();
    await card(coming, name).waitFor({ state: 'detached' });
    expect((await nina.call('GET', `/documents/${id}`)).status).toBe(404);
  });

  it('has a log of who downloaded it, for its uploader', async () => {
    const [lena, omar] = await Promise.all([stage.someone('Lena', 'member'), stage.someone('Omar', 'member')]);
    const { id, name } = await aDocument(lena, { visibility: 'public' });
    await demand(omar.call('GET', `/documents/${id}`), 200);
    const person = await stage.sit(lena, '/documents');
    await more(person, name, 'Download log');
    await dialog(person, 'Download log').getByText(omar.name).waitFor();
    expect(query(person)).toBe(`?downloads=${id}`);
    const other = await stage.sit(omar, `/documents?downloads=${id}`);
    await other.page.getByText('Only the uploader and administrators can see who downloaded this document').waitFor();
  });
});

describe('the project of an upload', () => {
  const file = (name: string) => ({ name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) });

  it('is chosen beside the place for files, and the document is among the project’s', async () => {
    const jonas = await stage.someone('Jonas', 'project_manager');
    const { project, name } = await buildProject(jonas);
    const person = await stage.sit(jonas, '/documents');
    const { page } = person;
    const title = `Plan ${stage.word()}`;
    const field = page.getByRole('combobox', { name: 'Project (optional)' });
    await field.fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file(title));
    await toast(page, 'Document uploaded successfully');
    await card(person, title).waitFor();
    const { data } = await demand(jonas.call<{ data: Document[] }>('GET', `/documents/project/${project}`), 200);
    expect(data).toMatchObject([{ name: `${title}.txt`, project }]);
  });

  it('that has been deleted is told with the file, which stays on the list', async () => {
    const jonas = await stage.someone('Jonas', 'project_manager');
    const { project, name } = await buildProject(jonas);
    const person = await stage.sit(jonas, '/documents');
    const { page } = person;
    const title = `Plan ${stage.word()}`;
    const field = page.getByRole('combobox', { name: 'Project (optional)' });
    await field.fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await demand(stage.admin.call('DELETE', `/projects/${project}`), 204);
    await waitFor(async () => (await jonas.call('GET', `/documents/project/${project}`)).status === 404, {
      what: 'the documents to know that the project is gone',
    });
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file(title));
    await toast(page, 'Project not found');
    await page.getByRole('list', { name: 'Uploads' }).getByText('Project not found').waitFor();
    await page.getByRole('button', { name: `Dismiss ${title}.txt` }).click();
    await field.fill('');
    await field.press('Tab');
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file(title));
    await toast(page, 'Document uploaded successfully');
    await card(person, title).waitFor();
  });
});

describe('files', () => {
  it('are taken anywhere on the page, dropped or pasted, with what was said of them before', async () => {
    const lena = await stage.someone('Lena', 'member');
    const person = await stage.sit(lena, '/documents');
    const { page } = person;
    await page.getByRole('button', { name: 'Visibility, tags and description' }).click();
    const next = page.getByRole('group', { name: 'What you upload next' });
    await next.getByRole('button', { name: /Visibility$/ }).click();
    await page.getByRole('option', { name: 'Public' }).click();
    await page.getByLabel('Tags').fill('plan, spring');
    await page.getByLabel('Description', { exact: true }).fill('The way to the harbour');
    const names = { drop: `Dropped ${stage.word()}.txt`, paste: `Pasted ${stage.word()}.txt` };
    const give = (kind: 'drop' | 'paste', selector: string) =>
      page.evaluate(
        ({ kind: what, name, at }) => {
          const given = new DataTransfer();
          given.items.add(new File([name], name, { type: 'text/plain' }));
          const options = { bubbles: true, cancelable: true };
          const event =
            what === 'drop'
              ? new DragEvent('drop', { ...options, dataTransfer: given })
              : new ClipboardEvent('paste', { ...options, clipboardData: given });
          document.querySelector(at)?.dispatchEvent(event);
          return event.defaultPrevented;
        },
        { kind, name: names[kind], at: selector },
      );
    // What is pasted into a field is the field's.
    await give('paste', 'textarea');
    expect(await page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
    expect(await give('drop', 'h1')).toBe(true);
    await card(person, names.drop).waitFor();
    await give('paste', 'h1');
    await card(person, names.paste).waitFor();
    const { data } = await demand(lena.call<{ data: Document[] }>('GET', '/documents?search=harbour'), 200);
    const said = { visibility: 'public', tags: ['plan', 'spring'], description: 'The way to the harbour' };
    expect(data.filter(({ uploadedBy }) => uploadedBy._id === lena.id)).toMatchObject([said, said]);
    // Over a dialog nothing is taken, and the page stays.
    await page.getByRole('button', { name: 'Bin' }).click();
    await dialog(person, 'Bin').waitFor();
    expect(await give('drop', 'h1')).toBe(true);
    await page.keyboard.press('Escape');
    await dialog(person, 'Bin').waitFor({ state: 'detached' });
    expect(await page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
    const after = await demand(lena.call<{ total: number }>('GET', '/documents?search=harbour'), 200);
    expect(after.total).toBe(data.length);
  });
});

describe('a document that was deleted', () => {
  it('is found in the bin, from where it comes back, or goes for good', async () => {
    const lena = await stage.someone('Lena', 'member');
    const { name } = await aDocument(lena);
    const person = await stage.sit(lena, '/documents');
    const { page } = person;
    const remove = async () => {
      await card(person, name)
        .getByRole('button', { name: `Delete ${name}` })
        .click();
      await page.getByRole('button', { name: 'Delete Document' }).click();
      await card(person, name).waitFor({ state: 'detached' });
    };
    await remove();
    await page.getByRole('button', { name: 'Bin' }).click();
    const bin = dialog(person, 'Bin');
    await bin.getByText('deleted by Lena').waitFor();
    await bin.getByRole('button', { name: `Restore ${name}` }).click();
    await bin.getByText('The bin is empty').waitFor();
    await page.keyboard.press('Escape');
    await card(person, name).waitFor();

    await remove();
    await page.getByRole('button', { name: 'Bin' }).click();
    await bin.getByRole('button', { name: `Delete ${name} for good` }).click();
    await page.getByRole('button', { name: 'Delete for Good' }).click();
    await bin.getByText('The bin is empty').waitFor();
  });
});

describe('the versions of a document', () => {
  it('are uploaded anew and brought back, which others see at once', async () => {
    const lena = await stage.someone('Lena', 'member');
    const { name, id } = await aDocument(lena, { visibility: 'public' });
    const person = await stage.sit(lena, `/documents?versions=${id}`);
    const omar = await stage.sit(await stage.someone('Omar', 'member'), `/documents?versions=${id}`);
    const versions = dialog(person, 'Versions');
    await versions.getByText('Version 1').waitFor();
    const chooser = person.page.waitForEvent('filechooser');
    await versions.getByRole('button', { name: 'Upload New Version' }).click();
    await (await chooser).setFiles({ name: 'next.txt', mimeType: 'text/plain', buffer: Buffer.from(`next ${name}`) });
    await toast(person.page, 'New version uploaded successfully');
    await dialog(omar, 'Versions').getByText('Version 2').waitFor();
    expect(
      await dialog(omar, 'Versions')
        .getByRole('button', { name: /^Restore|^Upload/ })
        .count(),
    ).toBe(0);
    await versions.getByRole('button', { name: 'Restore version 1' }).click();
    await versions.getByText('restored from version 1').waitFor();
    await dialog(omar, 'Versions').getByText('Version 3').waitFor();
    const download = omar.page.waitForEvent('download');
    await dialog(omar, 'Versions').getByRole('button', { name: 'Download version 2' }).click();
    expect((await download).suggestedFilename()).toBe(`${name}.txt`);
  });
});
