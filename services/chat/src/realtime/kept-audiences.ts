import type { Audience } from './audience.ts';

/** Keeps who was told as texts, each list of people once: those of a meeting are the same with every answer to it. */
export type KeptAudiences = {
  keep(audience: Audience): Audience<string>;
  /** One that was kept is not needed any more. */
  release(audience: Audience<string>): void;
  bytes(): number;
};

export function createKeptAudiences(): KeptAudiences {
  const kept = new Map<string, { users: string; uses: number }>();
  let bytes = 0;
  return {
    keep(audience) {
      if (audience === 'everyone') return audience;
      const users = audience.users.join();
      const known = kept.get(users) ?? { users, uses: 0 };
      if (known.uses === 0) bytes += users.length;
      known.uses += 1;
      kept.set(known.users, known);
      return { ...audience, users: known.users };
    },
    release(audience) {
      if (audience === 'everyone') return;
      const known = kept.get(audience.users);
      if (!known) return;
      known.uses -= 1;
      if (known.uses > 0) return;
      kept.delete(audience.users);
      bytes -= audience.users.length;
    },
    bytes: () => bytes,
  };
}
