import { objectClient } from '@atrium/dev-server/backing/servers/objects';
import { describe, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { testBucket, testDatabase, testMailbox, testMongo, testNats, testRedis } from '../src/backing-servers.ts';

describe('backing servers of a test run', () => {
  it('include an empty PostgreSQL database for each suite', async () => {
    const [first, second] = await Promise.all([testDatabase('one'), testDatabase('two')]);
    expect(first).not.toBe(second);
    const client = new pg.Client({ connectionString: first });
    await client.connect();
    await client.query('create table only_here (id int)');
    await client.end();
    const other = new pg.Client({ connectionString: second });
    await other.connect();
    const { rows } = await other.query("select 1 from information_schema.tables where table_name = 'only_here'");
    expect(rows).toEqual([]);
    const version = await other.query<{ server_version: string }>('show server_version');
    expect(Number.parseInt(version.rows[0]?.server_version ?? '', 10)).toBeGreaterThanOrEqual(16);
    await other.end();
  });

  it('include NATS and Redis, with a unique prefix for each suite', async () => {
    const [nats, redis] = await Promise.all([testNats(), testRedis()]);
    expect((await testNats()).prefix).not.toBe(nats.prefix);
    const connection = await connect({ servers: nats.url });
    await connection.flush();
    await connection.close();
    const client = new Redis(redis.url);
    await client.set(`${redis.prefix}:a`, '1');
    expect(await client.get(`${redis.prefix}:a`)).toBe('1');
    await client.quit();
  });

  it('include an empty MongoDB database', async () => {
    const client = new MongoClient(await testMongo('kit'));
    expect(await client.db().listCollections().toArray()).toEqual([]);
    await client.db().collection<{ _id: string }>('things').insertOne({ _id: 'a' });
    expect(await client.db().collection('things').countDocuments()).toBe(1);
    await client.close();
  });

  it('include an empty bucket that accepts objects', async () => {
    const { endpoint, bucket, ...keys } = await testBucket();
    const client = objectClient({ url: endpoint, ...keys });
    await client.putObject(bucket, 'hello.txt', 'hello');
    expect((await client.statObject(bucket, 'hello.txt')).size).toBe(5);
  });

  it('include a mailbox whose messages can be listed', async () => {
    const { webUrl } = await testMailbox();
    const response = await fetch(`${webUrl}/api/messages?to=nobody@example.com`);
    expect(await response.json()).toEqual({ data: [], total: 0 });
  });
});
