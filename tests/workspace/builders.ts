type Fields = Record<string, unknown>;

/** Rate limits for tests, in which all users share one IP address. */
export const HIGH_LIMITS = { RATE_LIMIT_PER_USER: '100000', RATE_LIMIT_PER_IP: '100000', RATE_LIMIT_SIGN_IN: '100000' };

/** Builds the body of a project without members. */
export const buildProject = (name: string, manager: { id: string }, fields: Fields = {}) => ({
  name,
  description: name,
  projectManager: manager.id,
  priority: 'low',
  status: 'in-progress',
  ...fields,
});

/** Builds the body of a meeting that begins in an hour and lasts an hour. */
export const buildMeeting = (title: string, fields: Fields = {}) => ({
  title,
  type: 'standup',
  startTime: new Date(Date.now() + 3_600_000).toISOString(),
  endTime: new Date(Date.now() + 7_200_000).toISOString(),
  meetingLink: 'https://meet.example.org/meeting',
  ...fields,
});

/** Builds the body of an invitation for a member. */
export const buildInvitation = (localPart: string, fields: Fields = {}) => ({
  email: `${localPart}@example.org`,
  firstName: 'Ina',
  lastName: 'Invited',
  role: 'member',
  ...fields,
});

/** Builds the form of a document upload with a small text file. */
export function uploadForm(name: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  // Fields precede the file, because the server reads them first and does not buffer the file.
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([`the text of ${name}\n`], { type: 'text/plain' }), name);
  return form;
}

/** Builds the form of a message with a small text file. */
export function fileForm(name: string, fields: Record<string, string>): FormData {
  const form = uploadForm(name, fields);
  const file = form.get('file') as File;
  form.delete('file');
  form.set('attachments', file, name);
  return form;
}

/** A PNG image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** Builds the form of a custom emoji. */
export function emojiForm(
  name: string,
  image: Uint8Array<ArrayBuffer> = new Uint8Array(Buffer.from(PIXEL, 'base64')),
): FormData {
  const form = new FormData();
  form.set('name', name);
  form.set('image', new Blob([image], { type: 'image/png' }), `${name}.png`);
  return form;
}

/** Returns the token in the link of an invitation or of a password reset. */
export const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? '';
