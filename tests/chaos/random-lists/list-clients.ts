import type { Workspace } from '../../live/workspace-state.ts';
import { type Client, PASSWORD, signInClient } from '../../workspace/workspace.ts';
import { type ClientProcess, startClientProcess } from '../client-process/client-process.ts';
import type { Action, Result } from './actions.ts';
import type { ListBrowserArgs } from './list-browser.ts';
import { listScreens } from './screens.ts';

export type ListClient = ClientProcess<Action, Result> & { name: string };

/** A new role ends the sessions of a user, so the role of none of these changes. */
const USERS = ['admin', 'manager', 'member', 'colleague', 'outsider', 'nora'] as const;
/** These have two browsers. */
const WITH_TWO = ['admin', 'manager'] as const;

/** Opens browsers of users with different roles and places in projects. */
export async function startListClients(workspace: Workspace): Promise<ListClient[]> {
  const { url, users } = workspace;
  const clients: [string, Client][] = USERS.map((name) => [name, users[name]]);
  for (const name of WITH_TWO)
    clients.push([`${name} on another device`, await signInClient(url, users[name].email, PASSWORD)]);
  return Promise.all(clients.map(([name, user]) => startListClient(workspace, name, user)));
}

async function startListClient(workspace: Workspace, name: string, user: Client): Promise<ListClient> {
  const { main, other } = workspace.projects;
  const signedIn = USERS.map((each) => workspace.users[each].id);
  const args: ListBrowserArgs = {
    url: workspace.url,
    accessToken: user.token,
    refreshToken: user.refreshToken,
    screens: listScreens(workspace, name),
    permanent: [main, other, ...signedIn],
  };
  return {
    ...(await startClientProcess<Action, Result>(new URL('./list-browser.ts', import.meta.url), user, args)),
    name,
  };
}
