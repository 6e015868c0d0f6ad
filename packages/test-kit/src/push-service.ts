import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';

/** A message as a browser receives it. */
export type PushMessage = { content: unknown; topic: string | undefined; urgency: string; ttl: number };

/** A subscription as a browser makes one, which can read its messages. */
export type TestSubscription = {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  publicKey: string;
  /** Messages that were delivered, oldest first. */
  received: PushMessage[];
  /** Stores messages until `connect`; a message replaces an older one of the same topic. */
  disconnect(): void;
  connect(): void;
  /** The push service no longer knows it from now on. */
  expire(): void;
};

export type TestPushService = {
  /** The origin of its endpoints. */
  origin: string;
  /** Subscribes a browser with a VAPID key, to which messages are then restricted (RFC 8292, section 4). */
  subscribe(publicKey: string): TestSubscription;
  /** Responds with these statuses first, one per request. */
  failWith(...responses: { status: number; retryAfter?: string }[]): void;
  /** What was wrong with the requests that it rejected. */
  rejections: string[];
  close(): Promise<void>;
};

type Subscriber = TestSubscription & {
  decrypt: (body: Buffer) => Buffer;
  isConnected: boolean;
  isExpired: boolean;
  stored: PushMessage[];
};

/** A push service and browser that implement RFC 8030, 8291, and 8292, and reject what these do not allow. */
export async function startPushService(): Promise<TestPushService> {
  const subscribers = new Map<string, Subscriber>();
  const failures: { status: number; retryAfter?: string }[] = [];
  const rejections: string[] = [];
  const server = createServer(async (request, response) => {
    const failure = failures.shift();
    if (failure) {
      if (failure.retryAfter !== undefined) response.setHeader('Retry-After', failure.retryAfter);
      response.writeHead(failure.status).end();
      return;
    }
    const { status, reason } = await receive(request, { origin: toOrigin(server), subscribers });
    if (reason !== undefined) rejections.push(reason);
    if (status === 201)
      response.setHeader('Location', `${toOrigin(server)}/messages/${randomBytes(8).toString('hex')}`);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: toOrigin(server),
    rejections,
    failWith: (...responses) => void failures.push(...responses),
    subscribe(publicKey) {
      const path = `/push/${randomBytes(16).toString('base64url')}`;
      const subscriber = createSubscriber(`${toOrigin(server)}${path}`, publicKey);
      subscribers.set(path, subscriber);
      return subscriber;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const toOrigin = (server: ReturnType<typeof createServer>): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function createSubscriber(endpoint: string, publicKey: string): Subscriber {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const secret = randomBytes(16);
  const subscriber: Subscriber = {
    endpoint,
    publicKey,
    keys: { p256dh: pair.getPublicKey('base64url', 'uncompressed'), auth: secret.toString('base64url') },
    received: [],
    stored: [],
    isConnected: true,
    isExpired: false,
    decrypt: (body) => decrypt(body, { pair, secret }),
    disconnect: () => {
      subscriber.isConnected = false;
    },
    connect: () => {
      subscriber.isConnected = true;
      subscriber.received.push(...subscriber.stored.splice(0));
    },
    expire: () => {
      subscriber.isExpired = true;
    },
  };
  return subscriber;
}

type Receiver = { origin: string; subscribers: ReadonlyMap<string, Subscriber> };
type Reception = { status: number; reason?: string };

async function receive(request: IncomingMessage, { origin, subscribers }: Receiver): Promise<Reception> {
  const subscriber = subscribers.get(request.url ?? '');
  if (!subscriber) return { status: 404 };
  if (subscriber.isExpired) return { status: 410 };
  const reject = (status: number, reason: string) => ({ status, reason });
  if (request.method !== 'POST') return reject(405, `method ${request.method}`);
  const { headers } = request;
  const rejection = await findVapidError(String(headers.authorization), { origin, publicKey: subscriber.publicKey });
  if (rejection !== undefined) return reject(403, rejection);
  if (!/^\d+$/.test(String(headers.ttl))) return reject(400, `TTL ${headers.ttl}`);
  if (headers['content-encoding'] !== 'aes128gcm') return reject(415, `encoding ${headers['content-encoding']}`);
  const topic = headers.topic === undefined ? undefined : String(headers.topic);
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return reject(400, `topic ${topic}`);
  const urgency = String(headers.urgency ?? 'normal');
  if (!['very-low', 'low', 'normal', 'high'].includes(urgency)) return reject(400, `urgency ${urgency}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (body.length > 4_096) return reject(413, `${body.length} bytes`);
  try {
    const content: unknown = JSON.parse(subscriber.decrypt(body).toString('utf8'));
    accept(subscriber, { content, topic, urgency, ttl: Number(headers.ttl) });
    return { status: 201 };
  } catch (error) {
    return reject(400, String(error));
  }
}

/** RFC 8030, section 5.4: a stored message is replaced by one with the same topic. */
function accept(subscriber: Subscriber, message: PushMessage): void {
  if (subscriber.isConnected) {
    subscriber.received.push(message);
    return;
  }
  const others = subscriber.stored.filter(({ topic }) => topic === undefined || topic !== message.topic);
  subscriber.stored = message.ttl > 0 ? [...others, message] : others;
}

const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

/** RFC 8292: a JWT for this origin that the key of the subscription has signed, for at most a day. */
async function findVapidError(
  authorization: string,
  { origin, publicKey }: { origin: string; publicKey: string },
): Promise<string | undefined> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== publicKey) return 'the key is not the one of the subscription';
  const point = Buffer.from(key, 'base64url');
  const coordinates = { x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  try {
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', ...coordinates }, 'ES256');
    const { payload } = await jwtVerify(token, jwk, { algorithms: ['ES256'], audience: origin, typ: 'JWT' });
    if ((payload.exp ?? Infinity) > Date.now() / 1_000 + MAX_LIFETIME_SECONDS) return 'the JWT is valid for too long';
    return /^(mailto:.+@|https:\/\/)/.test(payload.sub ?? '') ? undefined : `contact ${payload.sub}`;
  } catch (error) {
    return String(error);
  }
}

type BrowserKeys = { pair: ReturnType<typeof createECDH>; secret: Buffer };

/** RFC 8291, section 4, and RFC 8188: one record, whose last byte before the padding is 2. */
function decrypt(body: Buffer, { pair, secret }: BrowserKeys): Buffer {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const serverKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > body.readUInt32BE(16)) throw new Error('More than one record');
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), serverKey]);
  const input = derive(pair.computeSecret(serverKey), { salt: secret, info: keyInfo, length: 32 });
  const key = derive(input, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), length: 16 });
  const nonce = derive(input, { salt, info: Buffer.from('Content-Encoding: nonce\0'), length: 12 });
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('The record has no delimiter');
  return padded.subarray(0, end);
}

type Derivation = { salt: Buffer; info: Buffer; length: number };

const derive = (input: Buffer, { salt, info, length }: Derivation): Buffer =>
  Buffer.from(hkdfSync('sha256', input, salt, info, length));
