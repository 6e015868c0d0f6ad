import type { ElementLike, PageLike } from '../engines/page.ts';
import type { DemoWorkspace } from './demo-workspace.ts';

/** A dialog that can be opened and closed without side effects. */
export type DialogCase = {
  name: string;
  /** File of its component, relative to `web/src`. */
  source: string;
  who: 'admin' | 'member';
  address: (workspace: DemoWorkspace) => string;
  /** Opens the dialog in any browser, and returns the element that must have focus after it closes. */
  open: <P extends ElementLike<P>>(page: PageLike<P>) => Promise<P>;
  width?: number;
  /** Number of dialogs below it that stay open when it closes. */
  remainingDialogs?: number;
};

const press =
  (name: string | RegExp): DialogCase['open'] =>
  async (page) => {
    const opener = page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();
    await opener.click();
    return opener;
  };

/** Opens the dialog by an entry of the menu that a button opens. */
const chooseFromMenu =
  (button: RegExp, entry: string | RegExp): DialogCase['open'] =>
  async (page) => {
    const opener = page.getByRole('button', { name: button }).first();
    await opener.click();
    await page.getByRole('menuitem', { name: entry }).click();
    return opener;
  };

type AddressAndOpen = [address: string, open: DialogCase['open']];

const dialog = (name: string, source: string, ...[address, open]: AddressAndOpen): DialogCase => ({
  name,
  source: `${source}.tsx`,
  who: 'admin',
  address: () => address,
  open,
});

/** Describes a confirmation that a button in a dialog opens. */
const confirmation = (parent: DialogCase, source: string, button: string | RegExp): DialogCase => ({
  ...parent,
  name: `${parent.name}: ${source.replace(/.*\//, '')}`,
  source: `${source}.tsx`,
  remainingDialogs: 1,
  open: async (page) => {
    await parent.open(page);
    const opener = await press(button)(page);
    await page.getByRole('alertdialog').waitFor();
    return opener;
  },
});

const asMember = (dialogCase: DialogCase): DialogCase => ({
  ...dialogCase,
  name: `${dialogCase.name}, as a member`,
  who: 'member',
});

const editProject = dialog(
  'Edit Project',
  'features/projects/edit-project-dialog',
  '/progress',
  chooseFromMenu(/^Actions for/, 'Edit'),
);

/** Opens a conversation by its name, because the first one in the list may be a direct message. */
const inConversation =
  (name: string, conversation = /Donaudampf/): DialogCase['open'] =>
  async (page) => {
    await page.getByRole('link', { name: conversation }).first().click();
    return press(name)(page);
  };

const inProject = (name: string, source: string, open: DialogCase['open']): DialogCase => ({
  ...dialog(name, source, '', open),
  address: ({ project }) => `/progress/${project}`,
});

const openTask = inProject('a task with its comments', 'features/tasks/task-dialog', async (page) => {
  const card = page.getByRole('row', { name: /Donaudampf/ }).first();
  await card.click();
  return card;
});

const bulkInvite = dialog(
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

const chatInfo = dialog(
  'Group/Project Chat Info',
  'features/chat/conversations/info-dialog',
  '/chat',
  inConversation('Info'),
);

const groupInfo = dialog(
  'Group Info',
  'features/chat/conversations/info-dialog',
  '/chat',
  inConversation('Info', /lunch/),
);

const inLunchMenu =
  (entry: string | RegExp): DialogCase['open'] =>
  async (page) => {
    await page.getByRole('link', { name: /lunch/ }).first().click();
    return chooseFromMenu(/^Conversation options/, entry)(page);
  };

/** Opens a dialog that replaces the list of rooms, which returns when it closes. */
const addRoom: DialogCase['open'] = async (page) => {
  await press('Rooms')(page);
  await press('Add Room')(page);
  await page.getByRole('textbox', { name: 'Room name' }).waitFor();
  return page.getByRole('dialog');
};

/** Opens a dialog that replaces the meeting's details, which return when it closes. */
const closeMeeting: DialogCase['open'] = async (page) => {
  await press(/^View /)(page);
  await press('Close Meeting')(page);
  await page.getByRole('dialog', { name: 'Close Meeting' }).waitFor();
  return page.getByRole('dialog');
};

const openDirectFiles: DialogCase['open'] = async (page) => {
  await page.getByRole('link', { name: /Jonas/ }).first().click();
  return press('Files and links')(page);
};

export const DIALOGS: readonly DialogCase[] = [
  { ...dialog('navigation drawer', 'app/shell/navigation/navigation-drawer', '/', press('More')), width: 360 },
  dialog('Create New Project', 'features/projects/new-project-dialog', '/', press('New Project')),
  dialog(
    'Edit Project of the dashboard',
    'features/projects/edit-project-dialog',
    '/',
    press(/^Donaudampf|Progress of Donaudampf/),
  ),
  editProject,
  confirmation(editProject, 'features/projects/edit-project-dialog', 'Delete Project'),
  asMember(
    dialog(
      'Project of the dashboard',
      'features/projects/edit-project-dialog',
      '/',
      press(/^Donaudampf|Progress of Donaudampf/),
    ),
  ),
  dialog('Invite Team Member', 'features/users/invitations/invite-dialog', '/progress', press('Invite Member')),
  bulkInvite,
  inProject('New Task', 'features/tasks/new-task-dialog', press('New Task')),
  openTask,
  asMember(openTask),
  confirmation(openTask, 'features/tasks/task-dialog', 'Delete task'),
  inProject('the team of a project', 'features/projects/team-dialog', press('Manage team')),
  inProject('the health of a project', 'features/projects/health-dialog', press('Report health')),
  inProject('the tasks of a figure', 'features/charts/task-list-dialog', async (page) => {
    await press('Charts')(page);
    return press(/^To do.* tasks/)(page);
  }),
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
  dialog(
    'user details',
    'features/users/user-details-dialog',
    '/user-management',
    chooseFromMenu(/^Actions for/, /^View/),
  ),
  dialog('Edit User', 'features/users/edit-user-dialog', '/user-management', chooseFromMenu(/^Actions for/, /^Edit/)),
  dialog(
    'delete a user',
    'features/users/user-action-dialog',
    '/user-management?search=Yusuf',
    chooseFromMenu(/^Actions for/, /^Delete/),
  ),
  dialog(
    'a reset link',
    'features/users/user-action-dialog',
    '/user-management?search=Yusuf',
    chooseFromMenu(/^Actions for/, /reset/),
  ),
  dialog(
    'ending sessions',
    'features/users/user-action-dialog',
    '/user-management?search=Yusuf',
    chooseFromMenu(/^Actions for/, /^Sign out/),
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
    chooseFromMenu(/^More about /, /^Why can/),
  ),
  dialog(
    'who downloaded a document',
    'features/documents/sharing/downloads-dialog',
    '/documents',
    chooseFromMenu(/^More about /, /^Download log/),
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
  dialog(
    'Browse channels',
    'features/chat/conversations/channels/browse-channels-dialog',
    '/chat',
    press('Browse channels'),
  ),
  dialog(
    'Move to section',
    'features/chat/conversations/list/section-dialog',
    '/chat',
    inLunchMenu(/^Move to section/),
  ),
  dialog(
    'Channel settings',
    'features/chat/conversations/channels/channel-settings-dialog',
    '/chat',
    inLunchMenu('Channel settings'),
  ),
  dialog('pinned messages', 'features/chat/pins/pins-dialog', '/chat', inLunchMenu('Pinned messages')),
  dialog('saved messages', 'features/chat/pins/saved-dialog', '/chat', press('Saved messages')),
  dialog('archive a channel', 'features/chat/conversations/conversation-menu', '/chat', inLunchMenu('Archive channel')),
  chatInfo,
  confirmation(groupInfo, 'features/chat/conversations/leave-or-delete', 'Leave'),
  dialog('files of a direct conversation', 'features/chat/conversations/info-dialog', '/chat', openDirectFiles),
  dialog('the files of a conversation', 'features/chat/conversations/info-dialog', '/chat', async (page) => {
    const opener = await inConversation('Info')(page);
    await page.getByRole('tab', { name: 'Files' }).click();
    return opener;
  }),
  dialog('an image of a message', 'entities/file-viewer/file-viewer', '/chat', inConversation('Open harbour.png')),
  dialog('delete a conversation', 'features/chat/conversations/leave-or-delete', '/chat', inConversation('Delete')),
  dialog('Create a poll', 'features/chat/polls/poll-dialog', '/chat', inConversation('Create a poll')),
  dialog('Jump to date', 'features/chat/messages/jump-to-date', '/chat', inConversation('Jump to date')),
];
