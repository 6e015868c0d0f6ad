import { randomBytes } from 'node:crypto';
import { invitationCreated } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildInvitation, encoded, sealLink, startNotifications } from './factories.ts';
import { waitForEmail } from './mailbox.ts';

const LINK = 'https://atrium.example.org/accept-invite?token=';
const generateKey = () => new Uint8Array(randomBytes(32));
const [old, next, strange] = [generateKey(), generateKey(), generateKey()];
type Started = Awaited<ReturnType<typeof startNotifications>>;
let pods: Started[];

beforeAll(async () => {
  const [OLD, NEW] = [encoded(old), encoded(next)];
  pods = await Promise.all([
    startNotifications({ LINK_SEALING_KEY: OLD, LINK_SEALING_KEY_PREVIOUS: NEW }),
    startNotifications({ LINK_SEALING_KEY: NEW, LINK_SEALING_KEY_PREVIOUS: OLD }),
  ]);
});
afterAll(() => Promise.all(pods.map(({ service }) => service.close())));

const invite = async ({ service, people }: Started, key: ReturnType<typeof generateKey>, token: string) => {
  const sealedUrl = await sealLink(`${LINK}${token}`, key);
  const invitation = await buildInvitation(people.admin._id, { sealedUrl });
  await service.deliver(invitationCreated, invitation);
  return invitation;
};

it('sends links sealed with either key during a key rotation, whichever key a pod has first', async () => {
  for (const pod of pods) {
    const [one, other] = [await invite(pod, old, 'before'), await invite(pod, next, 'after')];
    expect((await waitForEmail(one.email)).text).toContain('token=before');
    expect((await waitForEmail(other.email)).text).toContain('token=after');
  }
});

it('reports a link that was sealed with neither key as failed', async () => {
  for (const pod of pods) {
    const { invitationId } = await invite(pod, strange, 'strange');
    const { data } = await pod.service.published(emailDelivered, ({ about }) => about === invitationId);
    expect(data.outcome).toBe('failed');
  }
});
