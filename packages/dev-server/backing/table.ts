import type { BackingServer, ServerName } from './server.ts';
import { mailbox } from './servers/mailbox.ts';
import { mongo } from './servers/mongo.ts';
import { nats } from './servers/nats.ts';
import { objects } from './servers/objects.ts';
import { postgres } from './servers/postgres.ts';
import { redis } from './servers/redis.ts';

/** Every backing server of Atrium. The ways to get each stand in its own file, in the order in which they are tried. */
export const backingServers: Record<ServerName, BackingServer> = { postgres, redis, nats, mongo, objects, mailbox };
