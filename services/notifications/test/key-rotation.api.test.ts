import { randomBytes } from 'node:crypto';
import { invitationCreated } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildInvitation, encodeKey, sealLink, startNotifications } from './factories.ts';
import { waitForEmail } from './mailbox.ts';

const LINK = 'https://atrium.example.org/accept-invite?token=';
const generateKey = () => new Uint8Array(randomBytes(32));
const oldKey = generateKey();
const newKey = generateKey();
const unknownKey = generateKey();
type StartedPod = Awaited<ReturnType<typeof startNotifications>>;
let pods: StartedPod[];

beforeAll(async () => {
  const OLD = encodeKey(oldKey);
  const NEW = encodeKey(newKey);
  pods = await Promise.all([
    startNotifications({ LINK_SEALING_KEY: OLD, LINK_SEALING_KEY_PREVIOUS: NEW }),
    startNotifications({ LINK_SEALING_KEY: NEW, LINK_SEALING_KEY_PREVIOUS: OLD }),
  ]);
});
afterAll(() => Promise.all(pods.map(({ service }) => service.close())));

const invite = async ({ service, users }: StartedPod, key: ReturnType<typeof generateKey>, token: string) => {
  const sealedUrl = await sealLink(`${LINK}${token}`, key);
  const invitation = await buildInvitation(users.admin._id, { sealedUrl });
  await service.deliver(invitationCreated, invitation);
  return invitation;
};

it('emails contain links sealed with the old or the new key during a rotation, on pods that list either key first', async () => {
  for (const pod of pods) {
    const oldInvitation = await invite(pod, oldKey, 'before');
    const newInvitation = await invite(pod, newKey, 'after');
    expect((await waitForEmail(oldInvitation.email)).text).toContain('token=before');
    expect((await waitForEmail(newInvitation.email)).text).toContain('token=after');
  }
});

it('an email whose link was sealed with neither key is reported as failed', async () => {
  for (const pod of pods) {
    const { invitationId } = await invite(pod, unknownKey, 'unknown');
    const { data } = await pod.service.waitForEvent(emailDelivered, ({ about }) => about === invitationId);
    expect(data.outcome).toBe('failed');
  }
});
