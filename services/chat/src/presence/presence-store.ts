import type { RedisClients } from '../sockets/redis.ts';

/** Stores a set of users per pod. A pod without a heartbeat for `lifeMs` is ignored, and other pods delete its set. */
export type PresenceStore = {
  /** Returns whether the user is also online on another pod. */
  markOnline(userId: string): Promise<boolean>;
  /** Returns whether the user is still online on another pod. */
  markOffline(userId: string): Promise<boolean>;
  sendHeartbeat(userIds: string[]): Promise<HeartbeatResult>;
  filterOnline(userIds: string[]): Promise<string[]>;
};

type HeartbeatResult = {
  /** Users of expired pods, who are now offline. */
  expiredIds: string[];
  /** Users of this pod who were missing in Redis. */
  missingIds: string[];
};

const PREAMBLE = `
local pods, base, own, user = KEYS[1], KEYS[2], ARGV[1], ARGV[3]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local alive = now - tonumber(ARGV[2])
local function elsewhere(user_id)
  for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, alive, '+inf')) do
    if pod ~= own and redis.call('SISMEMBER', base .. pod, user_id) == 1 then return 1 end
  end
  return 0
end
`;

const MARK_ONLINE = `${PREAMBLE}
redis.call('ZADD', pods, now, own)
redis.call('SADD', base .. own, user)
redis.call('PEXPIRE', base .. own, ARGV[2] * 10)
return elsewhere(user)`;

const MARK_OFFLINE = `${PREAMBLE}
redis.call('SREM', base .. own, user)
return elsewhere(user)`;

const HEARTBEAT = `${PREAMBLE}
redis.call('ZADD', pods, now, own)
redis.call('PEXPIRE', base .. own, ARGV[2] * 10)
local lost = {}
for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, '-inf', '(' .. alive)) do
  for _, user_id in ipairs(redis.call('SMEMBERS', base .. pod)) do table.insert(lost, user_id) end
  redis.call('DEL', base .. pod)
  redis.call('ZREM', pods, pod)
end
local offline = {}
for _, user_id in ipairs(lost) do
  if elsewhere(user_id) == 0 and redis.call('SISMEMBER', base .. own, user_id) == 0 then table.insert(offline, user_id) end
end
return offline`;

const FILTER_ONLINE = `${PREAMBLE}
local users = {unpack(ARGV, 3)}
local found = {}
for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, alive, '+inf')) do
  if pod ~= own then
    for at, is_member in ipairs(redis.call('SMISMEMBER', base .. pod, unpack(users))) do
      if is_member == 1 then table.insert(found, users[at]) end
    end
  end
end
return found`;

/** Lua and Redis can take this many arguments without blocking other commands. */
export const USERS_PER_COMMAND = 1_000;

type Pod = { id: string; lifeMs: number };

export function createPresenceStore({ commands, prefix }: RedisClients, pod: Pod): PresenceStore {
  const base = `${prefix}:presence:`;
  const run = (script: string, ...args: string[]) =>
    commands.eval(script, 2, `${base}pods`, `${base}at:`, pod.id, pod.lifeMs, ...args);
  const toStrings = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return {
    markOnline: async (userId) => (await run(MARK_ONLINE, userId)) === 1,
    markOffline: async (userId) => (await run(MARK_OFFLINE, userId)) === 1,
    async sendHeartbeat(userIds) {
      // Rewrites the set, because Redis may have restarted empty, or been unavailable when a user disconnected.
      const ownKey = `${base}at:${pod.id}`;
      const batches = Array.from({ length: Math.ceil(userIds.length / USERS_PER_COMMAND) }, (_, n) =>
        userIds.slice(n * USERS_PER_COMMAND, (n + 1) * USERS_PER_COMMAND),
      );
      const transaction = commands.multi();
      for (const batch of batches) transaction.smismember(ownKey, ...batch);
      transaction.del(ownKey);
      for (const batch of batches) transaction.sadd(ownKey, ...batch);
      const replies = (await transaction.exec()) ?? [];
      const presenceFlags = batches.flatMap((_, n) => toStrings(replies[n]?.[1]));
      return {
        expiredIds: toStrings(await run(HEARTBEAT)),
        missingIds: userIds.filter((_, index) => presenceFlags[index] !== '1'),
      };
    },
    filterOnline: async (userIds) => (userIds.length === 0 ? [] : toStrings(await run(FILTER_ONLINE, ...userIds))),
  };
}
