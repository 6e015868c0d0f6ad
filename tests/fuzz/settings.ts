import type { FuzzWorkspace } from './seed-workspace.ts';

type Name = keyof FuzzWorkspace['values'];

/** The values to use for a field of any call, each with a probability; otherwise schemathesis generates a value. */
const GLOBAL_BINDINGS: Record<string, [Name, number]> = {
  'body.projectManager': ['managers', 0.8],
  'body.teamMembers[*]': ['people', 0.95],
  'body.participants[*]': ['people', 0.95],
  'body.userIds[*]': ['people', 0.95],
  'body.assignedTo': ['people', 0.6],
  'body.userId': ['people', 0.8],
  'path.userId': ['people', 0.8],
  'body.project': ['projects', 0.8],
  'body.conversation': ['conversations', 0.8],
  'query.conversation': ['conversations', 0.8],
  'body.timezone': ['zones', 0.8],
  'body.meetingLink': ['links', 0.8],
};

/** The same for fields of single calls. */
const CALL_BINDINGS: Record<string, Record<string, [Name, number]>> = {
  'auth.login': { 'body.email': ['emails', 0.8], 'body.password': ['passwords', 0.8] },
  'auth.register': { 'body.email': ['newcomers', 0.8], 'body.password': ['passwords', 0.8] },
  'projects.addTeamMember': { 'path.id': ['projects', 0.8] },
  'projects.removeTeamMember': { 'path.id': ['teams', 0.9], 'body.userId': ['people', 0.9] },
  'projects.removeTeamMemberByPath': { 'path.id': ['teams', 0.9], 'path.userId': ['people', 0.9] },
  'chat.removeParticipant': { 'path.id': ['channels', 0.8] },
  'chat.removeParticipantByPath': { 'path.id': ['channels', 0.8] },
  'meetings.createMeeting': { 'body.startTime': ['starts', 0.8], 'body.endTime': ['ends', 0.8] },
  'meetings.readFeed': { 'path.token': ['feeds', 0.8] },
  'auth.refresh': { 'body.refreshToken': ['refreshTokens', 0.6] },
  'auth.acceptInvite': { 'body.token': ['invitations', 0.6] },
  'auth.resetPassword': { 'body.token': ['resets', 0.6] },
  'auth.changePassword': { 'body.currentPassword': ['passwords', 0.6] },
};

/** Renders `schemathesis.toml`. Every check is enabled for every call. */
export function renderSettings({ values }: FuzzWorkspace): string {
  const lists = Object.entries(values).map(
    ([name, list]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(list)}`,
  );
  const calls = Object.entries(CALL_BINDINGS).map(
    ([call, parameters]) =>
      `[[operations]]\ninclude-operation-id = "${call}"\n[operations.parameters]\n${renderBindings(parameters)}`,
  );
  return `
# The default list lacks 413, which is also a valid rejection.
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]

[parameters]
${renderBindings(GLOBAL_BINDINGS)}

${lists.join('\n\n')}

${calls.join('\n\n')}
`;
}

const renderBindings = (parameters: Record<string, [Name, number]>) =>
  Object.entries(parameters)
    .map(
      ([parameter, [name, probability]]) => `"${parameter}" = { dictionary = "${name}", probability = ${probability} }`,
    )
    .join('\n');
