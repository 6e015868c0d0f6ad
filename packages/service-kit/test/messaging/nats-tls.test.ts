import { connectMessaging, type Messaging, requireStream } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { type Certificates, makeCertificates } from '@atrium/test-kit/tls-proxy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

let serverCertificates: Certificates;
let foreignCertificates: Certificates;
let nats: PrivateNats;
const resources = closeAfterEach();

beforeAll(async () => {
  [serverCertificates, foreignCertificates] = await Promise.all([makeCertificates(), makeCertificates()]);
  const natsTls = {
    ca_file: serverCertificates.ca,
    cert_file: serverCertificates.cert,
    key_file: serverCertificates.key,
  };
  nats = await startPrivateNats({ natsPrefix: 'atrium', natsTls });
});
afterAll(async () => {
  await nats.close();
  await Promise.all([serverCertificates.remove(), foreignCertificates.remove()]);
});

async function connect(tls: Record<string, string>, password = nats.password('chat')): Promise<Messaging> {
  const access = readNatsAccess({ NATS_URL: nats.url, NATS_USER: 'chat', NATS_PASSWORD: password, ...tls });
  const messaging = await connectMessaging({
    access,
    prefix: 'atrium',
    replicas: 1,
    name: 'chat',
    log: quiet,
  });
  resources.push(messaging.connection);
  return messaging;
}

describe('NATS with TLS, client certificates, and passwords', () => {
  it('accepts a service that has all three', async () => {
    const chat = await connect({
      NATS_TLS_CA: serverCertificates.ca,
      NATS_TLS_CERT: serverCertificates.cert,
      NATS_TLS_KEY: serverCertificates.key,
    });
    await requireStream(chat, 'chat');
    expect((await chat.js.publish('atrium.chat.message.sent.v1', '{}')).seq).toBe(1);
  });

  it('is rejected with a clear error by a service that trusts a different authority', async () => {
    const client = { NATS_TLS_CERT: serverCertificates.cert, NATS_TLS_KEY: serverCertificates.key };
    await expect(connect({ NATS_TLS_CA: foreignCertificates.ca, ...client })).rejects.toThrow(/certificate/i);
    await expect(connect(client)).rejects.toThrow(/certificate/i);
  });

  it("rejects clients without a certificate of its authority, or with another user's password", async () => {
    const { ca: NATS_TLS_CA } = serverCertificates;
    const foreignClient = { NATS_TLS_CERT: foreignCertificates.cert, NATS_TLS_KEY: foreignCertificates.key };
    // With TLS 1.3, the client finishes before the server verifies its certificate: the connection is then closed.
    for (const invalidClient of [{}, foreignClient])
      await expect(connect({ NATS_TLS_CA, ...invalidClient })).rejects.toThrow(/timeout|closed/i);
    const client = { NATS_TLS_CERT: serverCertificates.cert, NATS_TLS_KEY: serverCertificates.key };
    await expect(connect({ NATS_TLS_CA, ...client }, nats.password('users'))).rejects.toThrow(/authorization/i);
  });
});
