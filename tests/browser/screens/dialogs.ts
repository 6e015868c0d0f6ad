import type { PageLike, Place } from '../engines/page.ts';
import type { DemoWorkspace } from './demo-workspace.ts';

/** A dialog that can be opened and closed without side effects. */
export type OpenDialog = {
  name: string;
  /** Its component, below `web/src`. */
  source: string;
  who: 'admin' | 'member';
  address: (workspace: DemoWorkspace) => string;
  /** Opens the dialog in any browser; returns the element that must have the focus after it closes. */
  open: <P extends Place<P>>(page: PageLike<P>) => Promise<P>;
  width?: number;
  /** The number of dialogs below it that stay open. */
  remainingDialogs?: number;
};

const press =
  (name: string | RegExp): OpenDialog['open'] =>
  async (page) => {
    const opener = page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();
    await opener.click();
    return opener;
  };

/** Through an entry of the menu that the button opens. */
const choose =
  (button: RegExp, entry: string | RegExp): OpenDialog['open'] =>
  async (page) => {
    const opener = page.getByRole('button', { name: button }).first();
    await opener.click();
    await page.getByRole('menuitem', { name: entry }).click();
    return opener;
  };

type Opening = [address: string, open: OpenDialog['open']];

const dialog = (name: string, source: string, ...[address, open]: Opening): OpenDialog => ({
  name,
  source: `${source}.tsx`,
  who: 'admin',
  address: () => address,
  open,
});

/** A confirmation that a button in a dialog opens. */
const ask = (given: OpenDialog, source: string, button: string | RegExp): OpenDialog => ({
  ...given,
  name: `${given.name}: ${source.replace(/.*\//, '')}`,
  source: `${source}.tsx`,
  remainingDialogs: 1,
  open: async (page) => {
    await given.open(page);
    const opener = await press(button)(page);
    await page.getByRole('alertdialog').waitFor();
    return opener;
  },
});

const asMember = (given: OpenDialog): OpenDialog => ({ ...given, name: `${given.name}, to a member`, who: 'member' });

const editProject = dialog(
  'Edit Project',
  'features/projects/edit-project-dialog',
  '/progress',
  choose(/^Actions for/, 'Edit'),
);

/** In a named conversation; the first one in the list may be a direct message. */
const inRoom =
  (name: string, room = /Donaudampf/): OpenDialog['open'] =>
  async (page) => {
    await page.getByRole('link', { name: room }).first().click();
    return press(name)(page);
  };

const inProject = (name: string, source: string, open: OpenDialog['open']): OpenDialog => ({
  ...dialog(name, source, '', open),
  address: ({ project }) => `/progress/${project}`,
});

const openTask = inProject('a task with its comments', 'features/tasks/task-dialog', async (page) => {
  const card = page.getByRole('row', { name: /Donaudampf/ }).first();
  await card.click();
  return card;
});

const severalPeople = dialog(
  'invite several people',
  'features/users/bulk-invite/bulk-invite',
  '/progress',
  async (page) => {
    const opener = await press('Invite Member')(page);
    await page.getByRole('radio', { name: 'One person' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('textbox', { name: 'People to invite' }).waitFor();
    return opener;
  },
);

const INVITATIONS = '/user-management?tab=invitations';
const PAST_MEETINGS = '/meetings?tab=past';

const chatInfo = dialog('Group/Project Chat Info', 'features/chat/conversations/info-dialog', '/chat', inRoom('Info'));

const groupInfo = dialog('Group Info', 'features/chat/conversations/info-dialog', '/chat', inRoom('Info', /lunch/));

/** Replaces the list of rooms, which returns afterwards. */
const addRoom: OpenDialog['open'] = async (page) => {
  await press('Rooms')(page);
  await press('Add Room')(page);
  await page.getByRole('textbox', { name: 'Room name' }).waitFor();
  return page.getByRole('dialog');
};

/** Replaces the details, which return afterwards. */
const closeMeeting: OpenDialog['open'] = async (page) => {
  await press(/^View /)(page);
  await press('Close Meeting')(page);
  await page.getByRole('dialog', { name: 'Close Meeting' }).waitFor();
  return page.getByRole('dialog');
};

const openDirectFiles: OpenDialog['open'] = async (page) => {
  await page.getByRole('link', { name: /Jonas/ }).first().click();
  return press('Files and links')(page);
};

export const DIALOGS: readonly OpenDialog[] = [
  { ...dialog('navigation drawer', 'app/shell/navigation-drawer', '/', press('More')), width: 360 },
  dialog('Create New Project', 'features/projects/new-project-dialog', '/', press('New Project')),
  dialog(
    'Edit Project of the dashboard',
    'features/projects/edit-project-dialog',
    '/',
    press(/^Donaudampf|Progress of Donaudampf/),
  ),
  editProject,
  ask(editProject, 'features/projects/edit-project-dialog', 'Delete Project'),
  asMember(
    dialog(
      'Project of the dashboard',
      'features/projects/edit-project-dialog',
      '/',
      press(/^Donaudampf|Progress of Donaudampf/),
    ),
  ),
  dialog('Invite Team Member', 'features/users/invitations/invite-dialog', '/progress', press('Invite Member')),
  severalPeople,
  inProject('New Task', 'features/tasks/new-task-dialog', press('New Task')),
  openTask,
  asMember(openTask),
  ask(openTask, 'features/tasks/task-dialog', 'Delete task'),
  inProject('the team of a project', 'features/projects/team-dialog', press('Manage team')),
  inProject('adding people to a project', 'features/projects/team-dialog', async (page) => {
    const opener = await press('Manage team')(page);
    await page.getByRole('button', { name: 'Add people' }).click();
    return opener;
  }),
  dialog('search', 'features/search/search-dialog', '/', press(/^Search/)),
  dialog('notifications', 'features/notifications/notification-panel', '/', press(/^Notifications/)),
  dialog('keyboard shortcuts', 'app/shell/shortcuts-dialog', '/', async (page) => {
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Meetings' });
    await entry.focus();
    await page.keyboard.press('?');
    return entry;
  }),
  dialog('add a department', 'features/departments/department-dialogs', '/departments', press('Add Department')),
  dialog('edit a department', 'features/departments/department-dialogs', '/departments', press(/^Edit /)),
  dialog('delete a department', 'features/departments/department-dialogs', '/departments', press(/^Delete /)),
  dialog('deactivate a department', 'features/departments/department-dialogs', '/departments', press(/^Deactivate /)),
  dialog('invite a user', 'features/users/invitations/invite-dialog', '/user-management', press('Invite User')),
  dialog('user details', 'features/users/user-details-dialog', '/user-management', choose(/^Actions for/, /^View/)),
  dialog('Edit User', 'features/users/edit-user-dialog', '/user-management', choose(/^Actions for/, /^Edit/)),
  dialog(
    'delete a user',
    'features/users/user-action-dialog',
    '/user-management?search=Yusuf',
    choose(/^Actions for/, /^Delete/),
  ),
  dialog(
    'a reset link',
    'features/users/user-action-dialog',
    '/user-management?search=Yusuf',
    choose(/^Actions for/, /reset/),
  ),
  dialog(
    'ending sessions',
    'features/users/user-action-dialog',
    '/user-management?search=Yusuf',
    choose(/^Actions for/, /^Sign out/),
  ),
  dialog(
    'resend an invitation',
    'features/users/invitations/invitation-dialogs',
    INVITATIONS,
    press(/^Resend the invitation for Donau/),
  ),
  dialog(
    'revoke an invitation',
    'features/users/invitations/invitation-dialogs',
    INVITATIONS,
    press(/^Revoke the invitation for Donau/),
  ),
  dialog('sign out everywhere', 'features/settings/session-list', '/settings', press('Sign out everywhere')),
  dialog(
    'Schedule New Meeting',
    'features/meetings/form/schedule-meeting-dialog',
    '/meetings',
    press('Schedule Meeting'),
  ),
  dialog('Rooms', 'features/meetings/rooms/rooms-dialog', '/meetings', press('Rooms')),
  { ...dialog('Add Room', 'features/meetings/rooms/room-dialog', '/meetings', addRoom), remainingDialogs: 1 },
  dialog('notes of a meeting', 'features/meetings/notes/notes-dialog', PAST_MEETINGS, press(/^(Add|Edit) Notes/)),
  {
    ...dialog('Close Meeting', 'features/meetings/closing/close-meeting-dialog', PAST_MEETINGS, closeMeeting),
    remainingDialogs: 1,
  },
  dialog('meeting details', 'features/meetings/details/meeting-details-dialog', '/meetings', press(/^View /)),
  dialog('Edit Meeting', 'features/meetings/form/edit-meeting-dialog', '/meetings', press(/^Edit (?!Notes)/)),
  dialog('delete a meeting', 'features/meetings/delete-meeting-dialog', '/meetings', press(/^Delete /)),
  dialog('preview of a document', 'entities/file-viewer/file-viewer', '/documents', press(/^Preview /)),
  dialog('share a document', 'features/documents/sharing/share-dialog', '/documents', press(/^Share /)),
  dialog('edit a document', 'features/documents/edit-document-dialog', '/documents', press(/^Edit /)),
  dialog('delete a document', 'features/documents/trash-dialog', '/documents', press(/^Delete /)),
  dialog(
    'why a user can see a document',
    'features/documents/sharing/access-dialog',
    '/documents',
    choose(/^More about /, /^Why can/),
  ),
  dialog(
    'who downloaded a document',
    'features/documents/sharing/downloads-dialog',
    '/documents',
    choose(/^More about /, /^Download log/),
  ),
  dialog('versions of a document', 'features/documents/versions-dialog', '/documents', press(/^Versions /)),
  dialog('the trash', 'features/documents/trash-dialog', '/documents', press('Trash')),
  dialog('Create New Channel', 'features/chat/conversations/new-conversation-dialogs', '/chat', press('New Channel')),
  dialog(
    'Start Direct Message',
    'features/chat/conversations/new-conversation-dialogs',
    '/chat',
    press('New Direct Message'),
  ),
  chatInfo,
  ask(groupInfo, 'features/chat/conversations/leave-or-delete', 'Leave'),
  dialog('files of a direct conversation', 'features/chat/conversations/info-dialog', '/chat', openDirectFiles),
  dialog('the files of a conversation', 'features/chat/conversations/info-dialog', '/chat', async (page) => {
    const opener = await inRoom('Info')(page);
    await page.getByRole('tab', { name: 'Files' }).click();
    return opener;
  }),
  dialog('an image of a message', 'entities/file-viewer/file-viewer', '/chat', inRoom('Open harbour.png')),
  dialog('delete a conversation', 'features/chat/conversations/leave-or-delete', '/chat', inRoom('Delete')),
  dialog('Jump to date', 'features/chat/messages/jump-to-date', '/chat', inRoom('Jump to date')),
];
