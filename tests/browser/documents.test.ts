import type { Document } from '@atrium/proto-events/http/documents';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { uploadForm } from '../workspace/builders.ts';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import { type BrowserUser, dialog, toast } from './browser-user.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

/** Creates a document with a unique name. */
async function createDocument(
  owner: Client,
  fields: Record<string, string> = {},
): Promise<{ id: string; name: string }> {
  const name = `Plan ${environment.uniqueWord()}`;
  const { _id: id } = await expectStatus(
    send<{ _id: string }>(`${environment.system.url}/api/documents/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
      body: uploadForm(`${name}.txt`, { name, ...fields }),
    }),
    201,
  );
  return { id, name };
}

const card = ({ page }: BrowserUser, name: string) => page.getByRole('article', { name });
const query = ({ page }: BrowserUser) => new URL(page.url()).search;

type Stats = { mostDownloaded: { _id: string; downloads: number }[] };
const getDownloadCount = async ({ call }: Client, id: string) =>
  (await expectStatus(call<Stats>('GET', '/documents/stats'), 200)).mostDownloaded.find(({ _id }) => _id === id)
    ?.downloads;

describe('details of a document', () => {
  it('are in the URL, close with Back, and open from a link', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { id, name } = await createDocument(lena, { visibility: 'public' });
    const user = await environment.openPage(lena, '/documents');
    const { page } = user;
    // The marker of the user's own documents is visible with a name of any length.
    const ownerMark = card(user, name).getByText('(You)');
    const box = await ownerMark.boundingBox();
    const footer = await ownerMark.locator('../..').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((footer?.x ?? 0) + (footer?.width ?? 0) + 1);
    await card(user, name)
      .getByRole('button', { name: `Share ${name}` })
      .click();
    await dialog(user, 'Share Document').waitFor();
    expect(query(user)).toBe(`?share=${id}`);
    await page.goBack();
    await dialog(user, 'Share Document').waitFor({ state: 'detached' });
    expect(query(user)).toBe('');
    await card(user, name)
      .getByRole('button', { name: `Edit ${name}` })
      .click();
    expect(await dialog(user, 'Edit Document').getByLabel('Name').inputValue()).toBe(name);
    expect(query(user)).toBe(`?edit=${id}`);
    await page.keyboard.press('Escape');
    await dialog(user, 'Edit Document').waitFor({ state: 'detached' });
    expect(query(user)).toBe('');

    const omar = await environment.openPage(await environment.createUser('Omar', 'member'), `/documents?share=${id}`);
    await dialog(omar, 'Share Document').getByText(name).waitFor();
    await omar.page.goto(`${environment.system.url}/documents?edit=${id}`);
    await omar.page.getByText('Only the uploader and administrators can edit this document').waitFor();
    await omar.page.goto(`${environment.system.url}/documents?edit=65f0c0ffee00000000000000`);
    await omar.page.getByText('This document no longer exists').waitFor();
    await omar.page.keyboard.press('Escape');
    await omar.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(query(omar)).toBe('');
  });

  it('do not count as a download, unlike the Download button', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { id, name } = await createDocument(lena);
    const user = await environment.openPage(lena, `/documents?share=${id}`);
    const { page } = user;
    await dialog(user, 'Share Document').getByText(name).waitFor();
    await page.goto(`${environment.system.url}/documents?edit=${id}`);
    await dialog(user, 'Edit Document').waitFor();
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await card(user, name)
      .getByRole('button', { name: `Download ${name}` })
      .click();
    await download;
    await waitFor(async () => (await getDownloadCount(lena, id)) !== undefined, {
      description: 'the download to be counted',
    });
    expect(await getDownloadCount(lena, id)).toBe(1);
  });

  it('restore unsaved input after a reload, and revoke a share', async () => {
    const [lena, omar] = await Promise.all([
      environment.createUser('Lena', 'member'),
      environment.createUser('Omar', 'member'),
    ]);
    const { id } = await createDocument(lena);
    await expectStatus(lena.call('POST', `/documents/${id}/share`, { userIds: [omar.id] }), 200);
    const user = await environment.openPage(lena, `/documents?edit=${id}`);
    const { page } = user;
    const form = dialog(user, 'Edit Document');
    await form.getByLabel('Description').fill('The way to the harbour');
    await page.reload();
    await form.getByText('Your unsaved changes have been restored.').waitFor();
    expect(await form.getByLabel('Description').inputValue()).toBe('The way to the harbour');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(page, 'Document updated successfully');
    await page.goto(`${environment.system.url}/documents?share=${id}`);
    const share = dialog(user, 'Share Document');
    await share.getByRole('button', { name: `Stop sharing with ${omar.name}` }).click();
    await share.getByRole('region', { name: 'Shared with' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await share.waitFor({ state: 'detached' });
    const savedDocument = await expectStatus(lena.call<Document>('GET', `/documents/${id}?link=false`), 200);
    expect(savedDocument).toMatchObject({ description: 'The way to the harbour', sharedWith: [] });
  });
});

describe('a share with a department', () => {
  const createDepartment = async () => {
    const name = `Sales ${environment.uniqueWord()}`;
    return {
      name,
      ...(await expectStatus(environment.admin.call<{ _id: string }>('POST', '/departments', { name }), 201)),
    };
  };
  const moveTo = (user: Client, department: string | null) =>
    expectStatus(environment.admin.call('PATCH', `/users/${user.id}`, { department }), 200);
  const chooseFromMenu = async (user: BrowserUser, name: string, action: string) => {
    await card(user, name)
      .getByRole('button', { name: `More about ${name}` })
      .click();
    await user.page.getByRole('menuitem', { name: action }).click();
  };

  it('applies immediately to current, new, and former members, and can be explained and revoked from the card', async () => {
    const [lena, omar, nina] = await Promise.all(
      ['Lena', 'Omar', 'Nina'].map((first) => environment.createUser(first, 'member')),
    );
    if (!lena || !omar || !nina) throw new Error('missing test users');
    const department = await createDepartment();
    await moveTo(omar, department._id);
    const { id, name } = await createDocument(lena);
    const [owner, memberPage, newMemberPage] = await Promise.all([
      environment.openPage(lena, '/documents'),
      environment.openPage(omar, '/documents'),
      environment.openPage(nina, '/documents'),
    ]);
    await card(owner, name)
      .getByRole('button', { name: `Share ${name}` })
      .click();
    const share = dialog(owner, 'Share Document');
    await share.getByRole('combobox', { name: 'Department (optional)' }).fill(department.name);
    // The picker shows a member's department next to their name.
    await owner.page.getByRole('option', { name: department.name, exact: true }).click();
    await share.getByRole('button', { name: 'Share', exact: true }).click();
    await toast(owner.page, 'Document shared successfully');

    await card(memberPage, name).waitFor();
    await moveTo(nina, department._id);
    await card(newMemberPage, name).waitFor();
    await moveTo(omar, null);
    await card(memberPage, name).waitFor({ state: 'detached' });

    await chooseFromMenu(newMemberPage, name, 'Why can I see this?');
    const reason = dialog(newMemberPage, 'Why can I see this?');
    await reason.getByText('You can open this document.').waitFor();
    const sources = reason.getByRole('region', { name: 'Shared through' });
    await sources.getByText(`by ${lena.name}`).waitFor();
    expect(await sources.getByRole('button').count()).toBe(0);

    await chooseFromMenu(owner, name, 'Why can someone see this?');
    const accessDialog = dialog(owner, 'Why can someone see this?');
    await accessDialog.getByRole('searchbox', { name: 'Search people' }).fill(nina.name);
    await accessDialog.getByRole('option', { name: nina.name }).click();
    await accessDialog.getByText(`${nina.name} can open this document.`).waitFor();
    await accessDialog.getByRole('button', { name: `Stop sharing with ${department.name}` }).click();
    await accessDialog.getByText(`${nina.name} cannot open this document.`).waitFor();
    await card(newMemberPage, name).waitFor({ state: 'detached' });
    expect((await nina.call('GET', `/documents/${id}`)).status).toBe(404);
  });

  it('is logged for the uploader when someone downloads the document', async () => {
    const [lena, omar] = await Promise.all([
      environment.createUser('Lena', 'member'),
      environment.createUser('Omar', 'member'),
    ]);
    const { id, name } = await createDocument(lena, { visibility: 'public' });
    await expectStatus(omar.call('GET', `/documents/${id}`), 200);
    const user = await environment.openPage(lena, '/documents');
    await chooseFromMenu(user, name, 'Download log');
    await dialog(user, 'Download log').getByText(omar.name).waitFor();
    expect(query(user)).toBe(`?downloads=${id}`);
    const other = await environment.openPage(omar, `/documents?downloads=${id}`);
    await other.page.getByText('Only the uploader and administrators can see who downloaded this document').waitFor();
  });
});

describe('the project of an upload', () => {
  const file = (name: string) => ({ name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) });

  it("is selected next to the drop zone, and the document is in the project's list", async () => {
    const jonas = await environment.createUser('Jonas', 'project_manager');
    const { project, name } = await environment.createProject(jonas);
    const user = await environment.openPage(jonas, '/documents');
    const { page } = user;
    const title = `Plan ${environment.uniqueWord()}`;
    const field = page.getByRole('combobox', { name: 'Project (optional)' });
    await field.fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file(title));
    await toast(page, 'Document uploaded successfully');
    await card(user, title).waitFor();
    const { data } = await expectStatus(jonas.call<{ data: Document[] }>('GET', `/documents/project/${project}`), 200);
    expect(data).toMatchObject([{ name: `${title}.txt`, project }]);
  });

  it('is reported as missing if it was deleted, and the file stays in the list of uploads', async () => {
    const jonas = await environment.createUser('Jonas', 'project_manager');
    const { project, name } = await environment.createProject(jonas);
    const user = await environment.openPage(jonas, '/documents');
    const { page } = user;
    const title = `Plan ${environment.uniqueWord()}`;
    const field = page.getByRole('combobox', { name: 'Project (optional)' });
    await field.fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await expectStatus(environment.admin.call('DELETE', `/projects/${project}`), 204);
    await waitFor(async () => (await jonas.call('GET', `/documents/project/${project}`)).status === 404, {
      description: 'documents to know that the project was deleted',
    });
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file(title));
    await toast(page, 'Project not found');
    await page.getByRole('list', { name: 'Uploads' }).getByText('Project not found').waitFor();
    await page.getByRole('button', { name: `Dismiss ${title}.txt` }).click();
    await field.fill('');
    await field.press('Tab');
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file(title));
    await toast(page, 'Document uploaded successfully');
    await card(user, title).waitFor();
  });
});

describe('files', () => {
  it('are accepted when dropped or pasted anywhere on the page, with the details entered before', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const user = await environment.openPage(lena, '/documents');
    const { page } = user;
    await page.getByRole('button', { name: 'Visibility, tags and description' }).click();
    const next = page.getByRole('group', { name: 'Options for your next uploads' });
    await next.getByRole('button', { name: /Visibility$/ }).click();
    await page.getByRole('option', { name: 'Public' }).click();
    await page.getByLabel('Tags').fill('plan, spring');
    await page.getByLabel('Description', { exact: true }).fill('The way to the harbour');
    const names = { drop: `Dropped ${environment.uniqueWord()}.txt`, paste: `Pasted ${environment.uniqueWord()}.txt` };
    const dropOrPaste = (kind: 'drop' | 'paste', selector: string) =>
      page.evaluate(
        ({ kind: eventType, name, selector }) => {
          const data = new DataTransfer();
          data.items.add(new File([name], name, { type: 'text/plain' }));
          const options = { bubbles: true, cancelable: true };
          const event =
            eventType === 'drop'
              ? new DragEvent('drop', { ...options, dataTransfer: data })
              : new ClipboardEvent('paste', { ...options, clipboardData: data });
          document.querySelector(selector)?.dispatchEvent(event);
          return event.defaultPrevented;
        },
        { kind, name: names[kind], selector },
      );
    // A paste into a field is not an upload.
    await dropOrPaste('paste', 'textarea');
    expect(await page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
    expect(await dropOrPaste('drop', 'h1')).toBe(true);
    await card(user, names.drop).waitFor();
    await dropOrPaste('paste', 'h1');
    await card(user, names.paste).waitFor();
    const { data } = await expectStatus(lena.call<{ data: Document[] }>('GET', '/documents?search=harbour'), 200);
    const enteredDetails = { visibility: 'public', tags: ['plan', 'spring'], description: 'The way to the harbour' };
    expect(data.filter(({ uploadedBy }) => uploadedBy._id === lena.id)).toMatchObject([enteredDetails, enteredDetails]);
    // A file dropped over a dialog is ignored, and the browser does not open it.
    await page.getByRole('button', { name: 'Trash' }).click();
    await dialog(user, 'Trash').waitFor();
    expect(await dropOrPaste('drop', 'h1')).toBe(true);
    await page.keyboard.press('Escape');
    await dialog(user, 'Trash').waitFor({ state: 'detached' });
    expect(await page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
    const afterDrop = await expectStatus(lena.call<{ total: number }>('GET', '/documents?search=harbour'), 200);
    expect(afterDrop.total).toBe(data.length);
  });
});

describe('a deleted document', () => {
  it('is in the trash, where it can be restored or permanently deleted', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { name } = await createDocument(lena);
    const user = await environment.openPage(lena, '/documents');
    const { page } = user;
    const remove = async () => {
      await card(user, name)
        .getByRole('button', { name: `Delete ${name}` })
        .click();
      await page.getByRole('button', { name: 'Delete Document' }).click();
      await card(user, name).waitFor({ state: 'detached' });
    };
    await remove();
    await page.getByRole('button', { name: 'Trash' }).click();
    const trash = dialog(user, 'Trash');
    await trash.getByText('deleted by Lena').waitFor();
    await trash.getByRole('button', { name: `Restore ${name}` }).click();
    await trash.getByText('The trash is empty').waitFor();
    await page.keyboard.press('Escape');
    await card(user, name).waitFor();

    await remove();
    await page.getByRole('button', { name: 'Trash' }).click();
    await trash.getByRole('button', { name: `Permanently delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete Permanently' }).click();
    await trash.getByText('The trash is empty').waitFor();
  });
});

describe('versions of a document', () => {
  it('can be uploaded and restored, which other users see immediately', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { name, id } = await createDocument(lena, { visibility: 'public' });
    const user = await environment.openPage(lena, `/documents?versions=${id}`);
    const omar = await environment.openPage(
      await environment.createUser('Omar', 'member'),
      `/documents?versions=${id}`,
    );
    const versions = dialog(user, 'Versions');
    await versions.getByText('Version 1').waitFor();
    const chooser = user.page.waitForEvent('filechooser');
    await versions.getByRole('button', { name: 'Upload New Version' }).click();
    await (await chooser).setFiles({ name: 'next.txt', mimeType: 'text/plain', buffer: Buffer.from(`next ${name}`) });
    await toast(user.page, 'New version uploaded successfully');
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
