import type { Address, ServerName } from '@atrium/dev-server/backing/server';
import { objectClient } from '@atrium/dev-server/backing/servers/objects';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import pg from 'pg';

type Remover = (run: string, address: Address) => Promise<void>;

const dropPostgresDatabases: Remover = async (run, { url }) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [run],
  );
  for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
};

const deleteStreams: Remover = async (run, { url }) => {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  for await (const { config } of manager.streams.list()) {
    if (config.name.replace(/^KV_/, '').startsWith(run)) await manager.streams.delete(config.name);
  }
  await connection.close();
};

const deleteRedisKeys: Remover = async (run, { url }) => {
  const client = new Redis(url);
  for await (const keys of client.scanStream({ match: `${run}*` })) if (keys.length) await client.del(...keys);
  await client.quit();
};

const dropMongoDatabases: Remover = async (run, { url }) => {
  const client = new MongoClient(url);
  const { databases } = await client.db().admin().listDatabases();
  for (const { name } of databases) if (name.startsWith(run)) await client.db(name).dropDatabase();
  await client.close();
};

const removeBuckets: Remover = async (run, address) => {
  const client = objectClient(address);
  for (const { name } of await client.listBuckets()) {
    if (!name.startsWith(run)) continue;
    const names: string[] = [];
    for await (const { name: object } of client.listObjectsV2(name, '', true)) names.push(object);
    await client.removeObjects(name, names);
    await client.removeBucket(name);
  }
};

const removers: Partial<Record<ServerName, Remover>> = {
  postgres: dropPostgresDatabases,
  nats: deleteStreams,
  redis: deleteRedisKeys,
  mongo: dropMongoDatabases,
  objects: removeBuckets,
};

/** Removes everything whose name starts with the prefix of a test run. */
export const removeLeftovers = async (run: string, servers: Map<ServerName, Address>): Promise<void> => {
  for (const [name, address] of servers) await removers[name]?.(run, address);
};
