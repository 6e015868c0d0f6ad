import type { RealtimeRedis } from '../realtime/redis.ts';

/**
 * Who has a socket where, in Redis: a set of people for each pod, and all pods by the time of their last sign of life. What a pod that
 * was killed left behind counts no more after `lifeMs`, and the next pod to look takes it away.
 */
export type PresenceStore = {
  /** Notes that somebody is here; answers whether they were online on another pod. */
  markOnline(userId: string): Promise<boolean>;
  /** Notes that somebody left here; answers whether they are still online on another pod. */
  markOffline(userId: string): Promise<boolean>;
  /**
   * A sign of life with everybody who is here. Answers who was lost with pods that gave none, and of whom it was not known that they are
   * here: Redis has come back empty, or this pod gave no sign of life for so long that it was taken for dead.
   */
  beat(userIds: string[]): Promise<{ lost: string[]; unknown: string[] }>;
  /** Who of these is online on another pod. */
  filterOnline(userIds: string[]): Promise<string[]>;
  /** How many pods with sockets live, this one among them. */
  pods(): Promise<number>;
};

const PREAMBLE = `
local pods, base, own, user = KEYS[1], KEYS[2], ARGV[1], ARGV[3]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local alive = now - tonumber(ARGV[2])
local function elsewhere(somebody)
  for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, alive, '+inf')) do
    if pod ~= own and redis.call('SISMEMBER', base .. pod, somebody) == 1 then return 1 end
  end
  return 0
end
`;

const COME = `${PREAMBLE}
redis.call('ZADD', pods, now, own)
redis.call('SADD', base .. own, user)
redis.call('PEXPIRE', base .. own, ARGV[2] * 10)
return elsewhere(user)`;

const GO = `${PREAMBLE}
redis.call('SREM', base .. own, user)
return elsewhere(user)`;

const BEAT = `${PREAMBLE}
redis.call('ZADD', pods, now, own)
redis.call('PEXPIRE', base .. own, ARGV[2] * 10)
local lost = {}
for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, '-inf', '(' .. alive)) do
  for _, somebody in ipairs(redis.call('SMEMBERS', base .. pod)) do table.insert(lost, somebody) end
  redis.call('DEL', base .. pod)
  redis.call('ZREM', pods, pod)
end
local gone = {}
for _, somebody in ipairs(lost) do
  if elsewhere(somebody) == 0 and redis.call('SISMEMBER', base .. own, somebody) == 0 then table.insert(gone, somebody) end
end
return gone`;

const AMONG = `${PREAMBLE}
local asked = {unpack(ARGV, 3)}
local found = {}
for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, alive, '+inf')) do
  if pod ~= own then
    for at, is_there in ipairs(redis.call('SMISMEMBER', base .. pod, unpack(asked))) do
      if is_there == 1 then table.insert(found, asked[at]) end
    end
  end
end
return found`;

const PODS = `${PREAMBLE}
return redis.call('ZRANGEBYSCORE', pods, alive, '+inf')`;

/** As many as Lua and Redis take at once without others waiting for it. */
export const PEOPLE_A_COMMAND = 1_000;

type Pod = { id: string; lifeMs: number };

export function createPresenceStore({ commands, prefix }: RealtimeRedis, pod: Pod): PresenceStore {
  const base = `${prefix}:presence:`;
  const run = (script: string, ...given: string[]) =>
    commands.eval(script, 2, `${base}pods`, `${base}at:`, pod.id, pod.lifeMs, ...given);
  const strings = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return {
    markOnline: async (userId) => (await run(COME, userId)) === 1,
    markOffline: async (userId) => (await run(GO, userId)) === 1,
    async beat(userIds) {
      // Written anew each time: Redis may have come back empty, or been away when somebody left.
      const own = `${base}at:${pod.id}`;
      const portions = Array.from({ length: Math.ceil(userIds.length / PEOPLE_A_COMMAND) }, (_, n) =>
        userIds.slice(n * PEOPLE_A_COMMAND, (n + 1) * PEOPLE_A_COMMAND),
      );
      const anew = commands.multi();
      for (const portion of portions) anew.smismember(own, ...portion);
      anew.del(own);
      for (const portion of portions) anew.sadd(own, ...portion);
      const answers = (await anew.exec()) ?? [];
      const known = portions.flatMap((_, n) => strings(answers[n]?.[1]));
      return { lost: strings(await run(BEAT)), unknown: userIds.filter((_, at) => known[at] !== '1') };
    },
    filterOnline: async (userIds) => (userIds.length === 0 ? [] : strings(await run(AMONG, ...userIds))),
    pods: async () => new Set([...strings(await run(PODS)), pod.id]).size,
  };
}
