import type { BackingServer, ServerName } from './server.ts';
import { mailbox } from './servers/mailbox.ts';
import { mongo } from './servers/mongo.ts';
import { nats } from './servers/nats.ts';
import { objects } from './servers/objects.ts';
import { postgres } from './servers/postgres.ts';
import { redis } from './servers/redis.ts';

/** Every backing server. Each file lists its providers in order of preference. */
export const backingServers: Record<ServerName, BackingServer> = { postgres, redis, nats, mongo, objects, mailbox };
