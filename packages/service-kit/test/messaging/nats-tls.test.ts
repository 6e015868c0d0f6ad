import { connectMessaging, type Messaging, requireStream } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { type Certificates, makeCertificates } from '@atrium/test-kit/tls-proxy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

let ours: Certificates;
let strangers: Certificates;
let nats: PrivateNats;
const open = closeAfterEach();

beforeAll(async () => {
  [ours, strangers] = await Promise.all([makeCertificates(), makeCertificates()]);
  const natsTls = { ca_file: ours.ca, cert_file: ours.cert, key_file: ours.key };
  nats = await startPrivateNats({ natsPrefix: 'atrium', natsTls });
});
afterAll(async () => {
  await nats.close();
  await Promise.all([ours.remove(), strangers.remove()]);
});

async function connect(tls: Record<string, string>, password = nats.password('chat')): Promise<Messaging> {
  const access = readNatsAccess({ NATS_URL: nats.url, NATS_USER: 'chat', NATS_PASSWORD: password, ...tls });
  const messaging = await connectMessaging({
    url: nats.url,
    access,
    prefix: 'atrium',
    replicas: 1,
    name: 'chat',
    log: quiet,
  });
  open.push(messaging.connection);
  return messaging;
}

describe('NATS with TLS, client certificates, and passwords', () => {
  it('accepts a service that has all three', async () => {
    const chat = await connect({ NATS_TLS_CA: ours.ca, NATS_TLS_CERT: ours.cert, NATS_TLS_KEY: ours.key });
    await requireStream(chat, 'chat');
    expect((await chat.js.publish('atrium.chat.message.sent.v1', '{}')).seq).toBe(1);
  });

  it('is rejected by a service that trusts another authority, with a clear error', async () => {
    const client = { NATS_TLS_CERT: ours.cert, NATS_TLS_KEY: ours.key };
    await expect(connect({ NATS_TLS_CA: strangers.ca, ...client })).rejects.toThrow(/certificate/i);
    await expect(connect(client)).rejects.toThrow(/certificate/i);
  });

  it("rejects clients without a certificate of its authority, or with another user's password", async () => {
    const { ca: NATS_TLS_CA } = ours;
    const stranger = { NATS_TLS_CERT: strangers.cert, NATS_TLS_KEY: strangers.key };
    // With TLS 1.3, the client finishes before the server verifies its certificate: the connection is then closed.
    for (const none of [{}, stranger])
      await expect(connect({ NATS_TLS_CA, ...none })).rejects.toThrow(/timeout|closed/i);
    const client = { NATS_TLS_CERT: ours.cert, NATS_TLS_KEY: ours.key };
    await expect(connect({ NATS_TLS_CA, ...client }, nats.password('users'))).rejects.toThrow(/authorization/i);
  });
});
