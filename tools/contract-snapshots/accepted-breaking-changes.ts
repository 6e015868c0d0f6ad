/** The calls that respond with a message, by where it is in their responses. */
const MESSAGES = [
  'GET /chat/conversations: response 200.data[].lastMessage',
  'GET /chat/conversations/{id}: response 200.lastMessage',
  'GET /chat/messages: response 200.data[]',
  'PATCH /chat/conversations/{id}: response 200.lastMessage',
  'PATCH /chat/messages/{id}: response 200',
  'POST /chat/conversations: response 200.lastMessage',
  'POST /chat/conversations: response 201.lastMessage',
  'POST /chat/conversations/{id}/participants: response 200.lastMessage',
  'POST /chat/messages: response 201',
];
const NEW_TYPE = 'The content of a message of any type is its text, which clients show';
const CURSOR = 'Clients pass back what the previous page returned, and keep it no longer than the list is open';
const NEW_RESOURCE = 'Clients ignore changes of resources that they do not know';

/** Where the preference for emails about tasks was, which settings of notifications replaced. */
const TASK_EMAILS = [
  'directory user: data.preferences.taskEmails is no longer accepted',
  'directory user: data.preferences.taskEmails was removed',
  'GET /users/profile/preferences: response 200.taskEmails was removed',
  'PATCH /users/profile/preferences: body.taskEmails is no longer accepted',
  'PATCH /users/profile/preferences: response 200.taskEmails was removed',
];
const REPLACED = 'A migration converts what users chose, and nothing has been released';

/**
 * Intended breaking changes, such as the removal of an event that no stream contains anymore. Maps the reported text,
 * without its advice, to the reason why no client is affected. Cleared at the next release.
 */
export const ACCEPTED: Readonly<Record<string, string>> = {
  'GET /changes: response 200.data[].resource may now be "channel"': NEW_RESOURCE,
  'GET /changes: response 200.data[].resource may now be "emoji"': NEW_RESOURCE,
  'GET /changes: response 200.data[].resource may now be "reply"': NEW_RESOURCE,
  'GET /chat/conversations/{id}/attachments: query.before has pattern ["^[0-9]{1,16}\\\\.[0-9]{1,2}\\\\.[0-9a-f]{24}$"] instead of ["^[0-9]{1,15}(?:\\\\.[0-9]{1,2})?$"]':
    CURSOR,
  'GET /chat/conversations/{id}/links: query.before no longer accepts integer': CURSOR,
  'GET /chat/conversations/{id}/links: response 200.next may now be string': CURSOR,
  ...Object.fromEntries(TASK_EMAILS.map((text) => [text, REPLACED])),
  'POST /notifications/read: body.until is no longer accepted':
    'It is `before` now, as ruled, and nothing has been released',
  'POST /chat/messages: may now return 202': 'Only requests with `sendAt` get it, which no client sends',
  'SOCKET /live subscribe: body.tags[] has pattern ["^(project|task|tasks-in|tasks-of|tasks-by|user):[0-9a-f]{24}$"] instead of ["^(project|task|tasks-in|tasks-of|user):[0-9a-f]{24}$"]':
    'Accepts every tag that it accepted, and one more',
  ...Object.fromEntries(
    MESSAGES.flatMap((message) =>
      ['poll', 'summary'].map((type) => [`${message}.type may now be "${type}"`, NEW_TYPE] as const),
    ),
  ),
};
