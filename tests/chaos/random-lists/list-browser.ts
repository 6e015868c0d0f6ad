import { type ClientArgs, readClientArgs, serveActions } from '../client-process/client-process.ts';
import { openPage, setOnline } from '../client-process/page.ts';
import type { Action, Result, Screens } from './actions.ts';

/**
 * A browser without pages: runs the hooks of all screens, the live updates, and the actions of the web app in a separate
 * process. The parent sends actions, and asks for the differences between the screens and fresh responses.
 */
export type ListBrowserArgs = ClientArgs & { screens: Screens; permanent: readonly string[] };

const { url, screens, permanent, ...tokens } = readClientArgs<ListBrowserArgs>();
openPage(url);

const { startSignedIn } = await import('../client-process/start-signed-in.ts');
const { showScreens } = await import('./show-screens.ts');
const { createComparison } = await import('./compare-screens.ts');
const { createWrites } = await import('./writes.ts');
const { chatSocket, liveSocket } = await import('@atrium/web/realtime/connection/socket');

await startSignedIn(tokens);
const { cache, actions } = await showScreens(screens);
const comparison = createComparison(cache, screens);
const writes = createWrites({ cache, actions, permanent });
let isDone = false;
let differences: readonly string[] = [];

async function perform(action: Action): Promise<void> {
  isDone = true;
  switch (action.do) {
    case 'offline':
    case 'online':
      return setOnline(action.do === 'online');
    case 'compare':
      differences = [
        ...(liveSocket.connected && chatSocket.connected ? [] : ['not connected']),
        ...(await comparison.compare(action.only)),
      ];
      return;
    default:
      isDone = await writes.perform(action.do, action);
  }
}

const getResult = (): Result => ({
  isDone,
  differences,
  figures: { ...cache.counts, items: comparison.countItems() },
});

serveActions(perform, getResult);
