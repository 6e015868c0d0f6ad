import type { PageLike, Place } from '../engines/page.ts';
import type { LivelyWorkspace } from './lively-workspace.ts';

/** A dialog that can be opened and closed again without harm. */
export type OpenDialog = {
  name: string;
  who: 'admin' | 'member';
  address: (workspace: LivelyWorkspace) => string;
  /** Opens it in any browser; answers what must have the focus when it has closed. */
  open: <P extends Place<P>>(page: PageLike<P>) => Promise<P>;
  width?: number;
};

const press =
  (name: string | RegExp): OpenDialog['open'] =>
  async (page) => {
    const opener = page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();
    await opener.click();
    return opener;
  };

/** By an entry of the menu that the button opens. */
const choose =
  (button: RegExp, entry: string | RegExp): OpenDialog['open'] =>
  async (page) => {
    const opener = page.getByRole('button', { name: button }).first();
    await opener.click();
    await page.getByRole('menuitem', { name: entry }).click();
    return opener;
  };

const dialog = (name: string, address: string, open: OpenDialog['open']): OpenDialog => ({
  name,
  who: 'admin',
  address: () => address,
  open,
});

const asMember = (given: OpenDialog): OpenDialog => ({ ...given, name: `${given.name}, to a member`, who: 'member' });

const editProject = dialog('Edit Project', '/progress', choose(/^Actions for/, 'Edit'));

/** Of a conversation that has a name; the first one of the list may be a direct one. */
const inRoom =
  (name: string): OpenDialog['open'] =>
  async (page) => {
    await page
      .getByRole('link', { name: /Donaudampf/ })
      .first()
      .click();
    return press(name)(page);
  };

const inProject = (name: string, open: OpenDialog['open']): OpenDialog => ({
  ...dialog(name, '', open),
  address: ({ project }) => `/progress/${project}`,
});

const openTask = inProject('a task with its comments', async (page) => {
  const card = page.getByRole('row', { name: /Donaudampf/ }).first();
  await card.click();
  return card;
});

export const DIALOGS: readonly OpenDialog[] = [
  { ...dialog('navigation drawer', '/', press('More')), width: 360 },
  dialog('Create New Project', '/', press('New Project')),
  dialog('Edit Project of the dashboard', '/', press(/^Donaudampf|Progress of Donaudampf/)),
  editProject,
  asMember(dialog('Project of the dashboard', '/', press(/^Donaudampf|Progress of Donaudampf/))),
  dialog('Invite Team Member', '/progress', press('Invite Member')),
  inProject('New Task', press('New Task')),
  openTask,
  asMember(openTask),
  inProject('the team of a project', press('Manage team')),
  inProject('adding people to a project', async (page) => {
    const opener = await press('Manage team')(page);
    await page.getByRole('button', { name: 'Add people' }).click();
    return opener;
  }),
  dialog('search', '/', press(/^Search/)),
  dialog('notifications', '/', press(/^Notifications/)),
  dialog('keyboard shortcuts', '/', async (page) => {
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Meetings' });
    await entry.focus();
    await page.keyboard.press('?');
    return entry;
  }),
  dialog('add a department', '/departments', press('Add Department')),
  dialog('edit a department', '/departments', press(/^Edit /)),
  dialog('delete a department', '/departments', press(/^Delete /)),
  dialog('deactivate a department', '/departments', press(/^Deactivate /)),
  dialog('invite a user', '/user-management', press('Invite User')),
  dialog('user details', '/user-management', choose(/^Actions for/, /^View/)),
  dialog('Edit User', '/user-management', choose(/^Actions for/, /^Edit/)),
  dialog('delete a user', '/user-management?search=Yusuf', choose(/^Actions for/, /^Delete/)),
  dialog('Schedule New Meeting', '/meetings', press('Schedule Meeting')),
  dialog('Rooms', '/meetings', press('Rooms')),
  dialog('meeting details', '/meetings', press(/^View /)),
  dialog('Edit Meeting', '/meetings', press(/^Edit (?!Notes)/)),
  dialog('delete a meeting', '/meetings', press(/^Delete /)),
  dialog('preview of a document', '/documents', press(/^Preview /)),
  dialog('share a document', '/documents', press(/^Share /)),
  dialog('edit a document', '/documents', press(/^Edit /)),
  dialog('delete a document', '/documents', press(/^Delete /)),
  dialog('why somebody sees a document', '/documents', choose(/^More about /, /^Why can/)),
  dialog('who downloaded a document', '/documents', choose(/^More about /, /^Download log/)),
  dialog('versions of a document', '/documents', press(/^Versions /)),
  dialog('the bin', '/documents', press('Bin')),
  dialog('Create New Channel', '/chat', press('New Channel')),
  dialog('Start Direct Message', '/chat', press('New Direct Message')),
  dialog('Group/Project Chat Info', '/chat', inRoom('Info')),
  dialog('the files of a conversation', '/chat', async (page) => {
    const opener = await inRoom('Info')(page);
    await page.getByRole('tab', { name: 'Files' }).click();
    return opener;
  }),
  dialog('an image of a message', '/chat', inRoom('Open harbour.png')),
  dialog('delete a conversation', '/chat', inRoom('Delete')),
  dialog('Jump to date', '/chat', inRoom('Jump to date')),
];
