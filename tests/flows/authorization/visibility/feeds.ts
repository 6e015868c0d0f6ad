import { send } from '../../workspace.ts';
import { type Cast, does, SIGNED_IN } from './actors.ts';
import type { Received } from './ask.ts';

/** What the calendar program of everybody who has one gets, by the address that they make for it and without anything else. */
export function readFeeds(url: string, actors: Cast): Promise<Received[]> {
  const read = SIGNED_IN.map(async (who): Promise<Received> => {
    const { token } = await does<{ token: string }>(actors[who], ['POST', '/meetings/feed']);
    const { status, body } = await send<string>(`${url}/api/meetings/feed/${token}.ics`, {});
    if (status !== 200) throw new Error(`the feed of ${who} answered ${status}`);
    // Its lines are folded at 75 bytes, wherever that is (RFC 5545, 3.1).
    return { who, channel: 'calendar', from: 'their feed', text: body.replaceAll(/\r?\n[ \t]/g, '') };
  });
  return Promise.all(read);
}
