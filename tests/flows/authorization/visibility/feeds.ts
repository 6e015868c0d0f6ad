import { send } from '../../../workspace/workspace.ts';
import { type Actors, callAs, SIGNED_IN } from './actors.ts';
import type { Received } from './call-endpoints.ts';

/** Reads the calendar feed of every user through its secret URL. */
export function readFeeds(url: string, actors: Actors): Promise<Received[]> {
  const feeds = SIGNED_IN.map(async (who): Promise<Received> => {
    const { token } = await callAs<{ token: string }>(actors[who], ['POST', '/meetings/feed']);
    const { status, body } = await send<string>(`${url}/api/meetings/feed/${token}.ics`, {});
    if (status !== 200) throw new Error(`The feed of ${who} responded with status ${status}`);
    // Lines are folded at 75 bytes (RFC 5545, 3.1).
    return { who, channel: 'calendar', from: 'the calendar feed', text: body.replaceAll(/\r?\n[ \t]/g, '') };
  });
  return Promise.all(feeds);
}
